"""URLs of the daily log."""

from django.urls import path

from casino.daily_log import large_wins, views

urlpatterns = [
    path("log/", views.entries, name="log"),
    path("log/write/", views.write, name="log_write"),
    path("log/hand-over/", views.hand_over, name="log_hand_over"),
    path("log/accept/", views.accept, name="log_accept"),
    path("log/cameras/", views.cameras, name="log_cameras"),
    path("log/large-wins/", large_wins.wins, name="log_large_wins"),
    path("log/<str:property>/<int:number>/", views.entry, name="log_entry"),
]
