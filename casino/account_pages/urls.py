"""URLs of help, login, tokens and the viewing log."""

from django.urls import path

from casino.account_pages import (
    help_views,
    openid_views,
    otp_views,
    token_views,
    view_log_views,
)

urlpatterns = [
    path("help/", help_views.help, name="help"),
    path("help/images/<str:name>", help_views.image, name="help_image"),
    path("help/<slug:slug>/", help_views.guide, name="help_guide"),
    path("openid/", openid_views.begin, name="openid"),
    path("openid/callback/", openid_views.callback, name="openid_callback"),
    path("openid/code/", openid_views.code, name="openid_code"),
    path("otp/", otp_views.otp, name="otp"),
    path("tokens/", token_views.own_tokens, name="tokens"),
    path("tokens/all/", token_views.all_tokens, name="tokens_all"),
    path("tokens/<int:id>/", token_views.change, name="token"),
    path("tokens/<int:id>/revoke/", token_views.revoke, name="token_revoke"),
    path("views/", view_log_views.views_log, name="views"),
]
