"""URLs of the count room."""

from django.urls import path

from casino.count_room import views

urlpatterns = [
    path("count/", views.boxes, name="count"),
    path("count/pull/", views.pull, name="count_pull"),
    path("count/drop/<uuid:uid>/", views.drop, name="count_drop"),
    path("count/verify/<uuid:uid>/", views.verify, name="count_verify"),
]
