"""Endpoints for monitoring: `/healthz` (200 if this process answers), `/readyz` (200 if Catwalk can work,
otherwise 503 with the parts that are not ready) and `/metrics`.

They are answered before the host name, the login and https are checked. The first two return only names of
parts, such as `broker`. Metrics require the token (CATWALK_METRICS_TOKEN) or an allowed address
(CATWALK_METRICS_FROM). Behind a proxy that is not configured, no address is allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from secrets import compare_digest

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST

from casino.accounts import client_ip
from casino.runtime import replica
from casino.runtime.operations import metrics, readiness


class Probes:
    """Middleware that answers `/healthz`, `/readyz` and `/metrics`, and passes on all other requests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = ANSWERS.get(request.path)
        if answer is None:
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = answer(request)
        response.headers["Cache-Control"] = "no-store"
        return response


def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200, without using the database: this process accepts requests."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> HttpResponse:
    """Return 200 if every part is ready. Otherwise, return 503 and the names of the parts that are not ready.
    `?of=database,migrations` checks only these parts.
    """
    parts = [part for part in request.GET.get("of", "").split(",") if part] or [*readiness.PARTS]
    if strange := [part for part in parts if part not in readiness.PARTS]:
        says = f"{len(strange)} of the requested parts do not exist. Parts: {', '.join(readiness.PARTS)}."
        return JsonResponse({"ready": False, "detail": says}, status=400)
    wants = {part: reason for part, reason in readiness.state().items() if part in parts}
    answer: dict[str, object] = {"ready": not wants, "wants": wants}
    if replica.is_configured() and "database" not in readiness.state():
        answer["replica"] = replica.describe()  # without it the primary is read, so it makes nothing unready
    return JsonResponse(answer, status=503 if wants else 200)


def figures(request: HttpRequest) -> HttpResponse:
    """Return the metrics for Prometheus."""
    if not _may(request):
        return HttpResponse(
            "Send the token of CATWALK_METRICS_TOKEN (Authorization: Bearer …), or ask from an address of"
            " CATWALK_METRICS_FROM.\n",
            status=401,
            content_type="text/plain; charset=utf-8",
            headers={"WWW-Authenticate": 'Bearer realm="catwalk metrics"'},
        )
    return HttpResponse(metrics.exposed(), content_type=CONTENT_TYPE_LATEST)


ANSWERS = {"/healthz": healthz, "/readyz": readyz, "/metrics": figures}


def _may(request: HttpRequest) -> bool:
    word, _, token = request.headers.get("Authorization", "").partition(" ")
    if settings.METRICS_TOKEN and word.lower() == "bearer":
        return compare_digest(token.strip().encode(), settings.METRICS_TOKEN.encode())
    if not settings.PROXIES and client_ip.FORWARDED in request.headers:
        return False
    try:
        address = ip_address(client_ip.client_ip(request) or "")
    except ValueError:
        return False
    return any(address in network for network in settings.METRICS_FROM)
