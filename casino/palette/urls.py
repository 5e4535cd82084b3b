"""URL of the search over pages, tables, reports, people and hands."""

from django.urls import path

from casino.palette import views

urlpatterns = [path("find/", views.find, name="find")]
