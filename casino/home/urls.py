"""URLs of the home pages."""

from django.urls import path

from casino.home import views

urlpatterns = [path("home/", views.home_of_role, name="home_of_role")]
