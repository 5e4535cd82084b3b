"""URLs of first page, help, login, tokens and the viewing log."""

from django.urls import path

from casino.account_pages import home_views, otp_views, token_views, view_log_views

urlpatterns = [
    path("", home_views.home, name="home"),
    path("help/", home_views.help, name="help"),
    path("otp/", otp_views.otp, name="otp"),
    path("tokens/", token_views.own_tokens, name="tokens"),
    path("tokens/all/", token_views.all_tokens, name="tokens_all"),
    path("tokens/<int:id>/revoke/", token_views.revoke, name="token_revoke"),
    path("views/", view_log_views.views_log, name="views"),
]
