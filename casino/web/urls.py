"""The addresses of the pages. A round may be named with a slash."""

from django.urls import path, re_path

from casino.account_pages import home_views, otp_views, token_views, view_log_views
from casino.cage import board_views, form_views
from casino.count_room import views as count
from casino.day_close import views
from casino.exports import report_views
from casino.exports import views as exports
from casino.floor import board_views as floor
from casino.floor import form_views as floor_acts
from casino.journals import views as journal
from casino.reports import certificate_views, hold_attribution_day_views, hold_attribution_views, hold_views, statistical_review_views
from casino.surveillance import flag_views, hand_views, queue_views, quick_search, verdict_views

TABLE = "<str:property>/<str:table>"
HAND = "<str:property>/<str:table>/<str:day>"
urlpatterns = [
    path("", home_views.home, name="home"),
    path("help/", home_views.help, name="help"),
    path("queue/", queue_views.queue, name="queue"),
    path("queue/more/", queue_views.more, name="queue_more"),
    path("queue/news/", queue_views.news, name="queue_news"),
    path(f"hand/{HAND}/<path:round>/", hand_views.hand, name="hand"),
    path(f"fact/{HAND}/<int:number>/", hand_views.fact, name="fact"),
    path("verdict/", verdict_views.give, name="verdict"),
    path("flag/", flag_views.flag, name="flag"),
    path("jump/", quick_search.jump, name="jump"),
    path("hold/", hold_views.hold, name="hold"),
    path("hold/review/", statistical_review_views.review, name="review"),
    path("hold/where/", hold_attribution_views.where, name="where"),
    path(f"hold/where/{HAND}/", hold_attribution_day_views.where_day, name="where_day"),
    path("certificate/", certificate_views.certificate, name="certificate"),
    path("reports/", report_views.index, name="reports"),
    path("exports/", exports.exported, name="exports"),
    path("exports/verify_export.py", exports.verifier, name="export_verifier"),
    path("exports/<int:id>/", exports.export, name="export"),
    path("exports/<int:id>/state/", exports.state, name="export_state"),
    path("exports/<int:id>/file/", exports.file, name="export_file"),
    path("exports/<int:id>/manifest/", exports.manifest, name="export_manifest"),
    path("exports/<int:id>/again/", exports.again, name="export_again"),
    re_path("^reports/kept/(?P<rest>.*)$", exports.moved, name="kept_report"),
    path("reports/<str:name>/keep/", exports.report_keep, name="report_keep"),
    path("reports/<str:name>/", report_views.report, name="report"),
    path("reports/<str:name>/<str:format>/", report_views.file, name="report_file"),
    path("cage/", board_views.board, name="cage"),
    path("cage/news/", board_views.news, name="cage_news"),
    path("cage/markers/", board_views.markers, name="cage_markers"),
    path("cage/ask/<str:property>/<str:table>/<str:what>/", form_views.ask, name="cage_ask"),
    path("cage/slip/<str:property>/<uuid:uid>/", form_views.slip, name="cage_slip"),
    path("cage/slip/<str:property>/<uuid:uid>/withdraw/", form_views.withdraw, name="cage_withdraw"),
    path("cage/slip/<str:property>/<uuid:uid>/void/", form_views.spoil, name="cage_spoil"),
    path("cage/number/<str:property>/", form_views.number, name="cage_number"),
    path("cage/marker/<str:property>/<str:table>/", form_views.marker, name="cage_marker"),
    path("cage/payment/<str:property>/", form_views.payment, name="cage_payment"),
    path("cage/chips/<str:property>/<str:table>/", form_views.chips, name="cage_chips"),
    path("print/<str:property>/<uuid:uid>.pdf", board_views.print_slip, name="slip_print"),
    path("floor/", floor.board, name="floor"),
    path("floor/news/", floor.news, name="floor_news"),
    path("floor/change/", floor_acts.change, name="floor_change"),
    path(f"floor/{TABLE}/", floor.table, name="floor_table"),
    path(f"floor/{TABLE}/open/", floor_acts.open_table, name="floor_open"),
    path(f"floor/{TABLE}/close/", floor_acts.close_table, name="floor_close"),
    path(f"floor/{TABLE}/seat/", floor_acts.seat, name="floor_seat"),
    path(f"floor/{TABLE}/limits/", floor_acts.limits, name="floor_limits"),
    path(f"floor/{TABLE}/tray/<str:which>/", floor_acts.tray, name="floor_tray"),
    path("count/", count.boxes, name="count"),
    path("count/pull/", count.pull, name="count_pull"),
    path("count/drop/<uuid:uid>/", count.drop, name="count_drop"),
    path("count/verify/<uuid:uid>/", count.verify, name="count_verify"),
    path("closing/", views.close, name="closing"),
    path("closing/adjust/", views.adjust, name="closing_adjust"),
    path("otp/", otp_views.otp, name="otp"),
    path("tokens/", token_views.own_tokens, name="tokens"),
    path("tokens/all/", token_views.all_tokens, name="tokens_all"),
    path("tokens/<int:id>/revoke/", token_views.revoke, name="token_revoke"),
    path("journal/", journal.page, name="journal"),
    path("journal/<str:format>/", journal.file, name="journal_file"),
    path("views/", view_log_views.views_log, name="views"),
]
