"""URLs of the pages for hold, statistical review, where the hold went, and certificates."""

from django.urls import path

from casino.reports import (
    certificate_views,
    hold_attribution_day_views,
    hold_attribution_views,
    hold_views,
    statistical_review_views,
)

HAND = "<str:property>/<str:table>/<str:day>"
urlpatterns = [
    path("hold/", hold_views.hold, name="hold"),
    path("hold/review/", statistical_review_views.review, name="review"),
    path("hold/where/", hold_attribution_views.where, name="where"),
    path(f"hold/where/{HAND}/", hold_attribution_day_views.where_day, name="where_day"),
    path("certificate/", certificate_views.certificate, name="certificate"),
]
