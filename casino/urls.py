"""All URLs of the project: the pages of each capability, the REST API, and Django's admin."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path

from casino.account_pages.otp_views import ChangePassword, LoginForm
from casino.account_pages.sign_out_views import SignOut
from casino.api import problems

LOGIN = auth.LoginView.as_view(redirect_authenticated_user=True, authentication_form=LoginForm)
urlpatterns = [
    path("login/", login_not_required(LOGIN), name="login"),
    path("logout/", SignOut.as_view(), name="logout"),
    path("password/", ChangePassword.as_view(), name="password_change"),
    path("api/v1/", include("casino.api.urls")),
    path("admin/", admin.site.urls),
    path("", include("casino.account_pages.urls")),
    path("", include("casino.surveillance.urls")),
    path("", include("casino.alerts.urls")),
    path("", include("casino.daily_log.urls")),
    path("", include("casino.video.urls")),
    path("", include("casino.cases.urls")),
    path("", include("casino.reports.urls")),
    path("", include("casino.exports.urls")),
    path("", include("casino.cage.urls")),
    path("", include("casino.floor.urls")),
    path("", include("casino.count_room.urls")),
    path("", include("casino.boards.urls")),
    path("", include("casino.day_close.urls")),
    path("", include("casino.journals.urls")),
    path("", include("casino.palette.urls")),
    path("", include("casino.home.urls")),
]

handler400 = problems.bad_request
handler403 = problems.forbidden
handler404 = problems.not_found
handler500 = problems.server_error
