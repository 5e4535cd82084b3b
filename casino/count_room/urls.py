"""URLs of the count room."""

from django.urls import path

from casino.count_room import views
from casino.web import url_parameters as url_parameters

urlpatterns = [
    path("count/", views.boxes, name="count"),
    path("count/pull/", views.pull, name="count_pull"),
    path("count/drop/<uid:uid>/", views.drop, name="count_drop"),
    path("count/verify/<uid:uid>/", views.verify, name="count_verify"),
]
