"""URLs of the cage."""

from django.urls import path

from casino.cage import board_views, deposit_views, form_views, marker_views
from casino.web import url_parameters as url_parameters

urlpatterns = [
    path("cage/", board_views.board, name="cage"),
    path("cage/news/", board_views.news, name="cage_news"),
    path("cage/markers/", marker_views.markers, name="cage_markers"),
    path("cage/ask/<str:property>/<str:table>/<str:slip_name>/", form_views.request_slip, name="cage_ask"),
    path("cage/slip/<str:property>/<uid:uid>/", form_views.slip, name="cage_slip"),
    path("cage/slip/<str:property>/<uid:uid>/withdraw/", form_views.withdraw, name="cage_withdraw"),
    path("cage/slip/<str:property>/<uid:uid>/void/", form_views.void_pending_slip, name="cage_spoil"),
    path("cage/number/<str:property>/", form_views.void_number, name="cage_number"),
    path("cage/marker/<str:property>/<str:table>/", marker_views.issue_marker, name="cage_marker"),
    path("cage/payment/<str:property>/", marker_views.take_payment, name="cage_payment"),
    path("cage/write-off/<str:property>/", marker_views.write_off, name="cage_write_off"),
    path("cage/deposits/", deposit_views.deposits, name="cage_deposits"),
    path("cage/drop/<str:property>/", deposit_views.receive_drop, name="cage_drop"),
    path("cage/deposit/<str:property>/", deposit_views.send_deposit, name="cage_deposit"),
    path("cage/confirmation/<str:property>/", deposit_views.confirm_deposit, name="cage_confirmation"),
    path("cage/chips/<str:property>/<str:table>/", form_views.record_buy_in, name="cage_chips"),
    path("print/<str:property>/<uid:uid>.pdf", board_views.print_slip, name="slip_print"),
]
