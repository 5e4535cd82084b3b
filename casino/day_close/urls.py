"""URLs of the close of a gaming day."""

from django.urls import path

from casino.day_close import views

urlpatterns = [
    path("closing/", views.close, name="closing"),
    path("closing/adjust/", views.adjust, name="closing_adjust"),
]
