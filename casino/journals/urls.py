"""URLs of the journal page and its files."""

from django.urls import path

from casino.journals import views

urlpatterns = [
    path("journal/", views.page, name="journal"),
    path("journal/<str:format>/", views.file, name="journal_file"),
]
