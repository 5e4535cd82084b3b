"""Headers that every answer carries beside those of Django and the policy of content."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

NOTHING = ", ".join(f"{device}=()" for device in ("camera", "microphone", "geolocation", "payment", "usb"))


class Headers:
    """What a page shows is kept by no cache, and a page asks for no device."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("Permissions-Policy", NOTHING)
        return response
