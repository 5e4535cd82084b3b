"""The addresses of the pages. A round may be named with a slash."""

from django.urls import path

from casino.web import cage, cage_acts, certificate, flag, hand, hold, home, jump, queue, report, verdict, views_log, where, where_day

HAND = "<str:property>/<str:table>/<str:day>"
urlpatterns = [
    path("", home.home, name="home"),
    path("help/", home.help, name="help"),
    path("queue/", queue.queue, name="queue"),
    path("queue/more/", queue.more, name="queue_more"),
    path("queue/news/", queue.news, name="queue_news"),
    path(f"hand/{HAND}/<path:round>/", hand.hand, name="hand"),
    path(f"fact/{HAND}/<int:number>/", hand.fact, name="fact"),
    path("verdict/", verdict.give, name="verdict"),
    path("flag/", flag.flag, name="flag"),
    path("jump/", jump.jump, name="jump"),
    path("hold/", hold.hold, name="hold"),
    path("hold/where/", where.where, name="where"),
    path(f"hold/where/{HAND}/", where_day.where_day, name="where_day"),
    path("certificate/", certificate.certificate, name="certificate"),
    path("reports/", report.index, name="reports"),
    path("reports/<str:name>/", report.report, name="report"),
    path("reports/<str:name>/<str:format>/", report.file, name="report_file"),
    path("cage/", cage.board, name="cage"),
    path("cage/news/", cage.news, name="cage_news"),
    path("cage/markers/", cage.markers, name="cage_markers"),
    path("cage/ask/<str:property>/<str:table>/<str:what>/", cage_acts.ask, name="cage_ask"),
    path("cage/slip/<str:property>/<uuid:uid>/", cage_acts.slip, name="cage_slip"),
    path("cage/slip/<str:property>/<uuid:uid>/withdraw/", cage_acts.withdraw, name="cage_withdraw"),
    path("cage/slip/<str:property>/<uuid:uid>/void/", cage_acts.spoil, name="cage_spoil"),
    path("cage/marker/<str:property>/<str:table>/", cage_acts.marker, name="cage_marker"),
    path("cage/payment/<str:property>/", cage_acts.payment, name="cage_payment"),
    path("cage/chips/<str:property>/<str:table>/", cage_acts.chips, name="cage_chips"),
    path("print/<str:property>/<uuid:uid>.pdf", cage.print_slip, name="slip_print"),
    path("views/", views_log.views_log, name="views"),
]
