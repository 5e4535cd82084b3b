"""URLs of the first page and of the home pages."""

from django.urls import path

from casino.home import first_page, views

urlpatterns = [
    path("", first_page.first_page, name="home"),
    path("home/", views.home_of_role, name="home_of_role"),
]
