"""URLs of recordings."""

from django.urls import path

from casino.video import views

urlpatterns = [
    path("video/", views.holds, name="holds"),
    path("video/hold/", views.hold, name="hold_video"),
    path("video/secure/", views.secure, name="secure_video"),
    path("video/release/", views.release, name="release_video"),
    path("video/export/", views.export, name="export_video"),
    path("video/open/", views.open_in_recorder, name="open_video"),
    path("video/play/", views.play, name="play_video"),
]
