"""The addresses of the pages. A round may be named with a slash."""

from django.urls import path

from casino.web import certificate, flag, hand, hold, home, jump, queue, report, verdict, views_log, where, where_day

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
    path("views/", views_log.views_log, name="views"),
]
