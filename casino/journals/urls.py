"""URLs of the journal page and its files."""

from django.urls import path

from casino.journals import mapping_views, views

urlpatterns = [
    path("journal/", views.page, name="journal"),
    path("journal/accounts/", mapping_views.page, name="journal_accounts"),
    path("journal/<str:format>/", views.file, name="journal_file"),
]
