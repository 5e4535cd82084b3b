"""URLs of queue, hand, replay, verdict, correction, proof, flag, assignment, and the searches for hands."""

from django.urls import path

from casino.surveillance import (
    assign_views,
    correction_views,
    flag_views,
    hand_views,
    proof_views,
    queue_stream,
    queue_views,
    quick_search,
    replay_views,
    search_views,
    verdict_views,
)

HAND = "<str:property>/<str:table>/<str:day>"
urlpatterns = [
    path("queue/", queue_views.queue, name="queue"),
    path("queue/more/", queue_views.more, name="queue_more"),
    path("queue/news/", queue_views.news, name="queue_news"),
    path("queue/stream/", queue_stream.stream, name="queue_stream"),
    path("queue/chosen/", verdict_views.chosen, name="queue_chosen"),
    path("queue/assign/", assign_views.assign, name="queue_assign"),
    path("queue/snooze/", assign_views.snooze, name="queue_snooze"),
    path(f"hand/{HAND}/<path:round>/", hand_views.hand, name="hand"),
    path(f"fact/{HAND}/<int:number>/", hand_views.fact, name="fact"),
    path(f"replay/{HAND}/<path:round>/", replay_views.replay, name="replay"),
    path("verdict/", verdict_views.give, name="verdict"),
    path("verdict/many/", verdict_views.many, name="verdict_many"),
    path("verdict/undo/", verdict_views.undo, name="verdict_undo"),
    path("proof/<str:property>/<uid:uid>/", proof_views.proof, name="fact_proof"),
    path("correct/", correction_views.correct, name="correct"),
    path("flag/", flag_views.flag, name="flag"),
    path("jump/", quick_search.jump, name="jump"),
    path("hands/", search_views.search, name="hands"),
    path("hands/complete/", search_views.complete, name="hands_complete"),
    path("hands/add/", search_views.add, name="hands_add"),
    path("hands/views/save/", search_views.save_view, name="view_save"),
    path("hands/views/remove/", search_views.remove_view, name="view_remove"),
]
