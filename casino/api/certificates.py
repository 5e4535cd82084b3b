"""GET /api/v1/certificates: the games with certified odds. For each game: what `manage.py certificate
--format json` prints.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from rest_framework.views import APIView

from casino.accounts.permissions import properties
from casino.accounts.scopes import needs
from casino.api import rows
from casino.api import shapes as s
from casino.api.etags import HEADERS, IF_NONE_MATCH, NOT_MODIFIED, conditional_response
from casino.api.openapi import Answer, described, path_parameter
from casino.reports import certificates
from games import GAMES

ACT = "see-certificate"
ODDS = s.described(s.TEXT, "An exact fraction of the first stake on the wager.")
LINE = s.body(
    "CertificateLine",
    game=(s.TEXT, "easy_over_under"),
    edition=(s.TEXT, "2010-02-05"),
    wager=(s.TEXT, "over"),
    unit=(s.TEXT, "the stake on the wager", "The amount of which edge, return and variance are a fraction."),
    pay_table=(s.nullable(s.TEXT), None),
    decks=(s.COUNT, 1),
    reading=(
        {"type": "object"},
        {},
        "Options of the manual, and known cards, if they differ from the default.",
    ),
    edge=(ODDS, "5/156"),
    rtp=(ODDS, "151/156"),
    variance=(ODDS, "23939/24336"),
    hit=(ODDS, "6/13"),
    push=(ODDS, "1/78"),
    printed=(
        s.nullable(s.TEXT),
        "3.21% (EOU House Advantage)",
        "The figure that the manual prints, and where.",
    ),
    verdict=(s.TEXT, "agrees", "`agrees`, `contradicts` or `not printed`."),
    fits=(s.nullable(s.TEXT), None, "An assumption under which the printed figure is correct."),
)
QUESTION = s.named(
    "OpenQuestion",
    s.object_(
        asks=s.described(s.TEXT, "What the manual leaves open."),
        answer=s.described(s.TEXT, "The answer used here."),
        cite=s.described(s.TEXT, "The heading or rule that leaves it open."),
        reading=s.described(
            s.TEXT,
            "The field of `table-opened` with the property's answer; empty if only one answer is possible.",
        ),
    ),
)
A_QUESTION = certificates.open_questions("high_side")[0]

LISTED = s.body(
    game=(s.TEXT, "easy_over_under"),
    title=(s.TEXT, "Easy Over Under, Game Manual"),
    address=(s.TEXT, "https://house.example/api/v1/certificates/easy_over_under"),
)
CERTIFICATE = s.body(
    lines=s.items(LINE),
    questions=(s.array(QUESTION), [A_QUESTION]),
    contradictions=(s.array(s.TEXT), list(GAMES["high_side"].contradictions[:1])),
)


class Certificates(APIView):
    permission_classes = [needs("read:reports")]

    @described(
        "Games with a certificate",
        responses=Answer.of(s.body(games=s.items(LISTED)), "The games."),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return every game whose exact odds are certified, with its manual."""
        _demand(request)
        games = [
            {
                "game": game,
                "title": GAMES[game].source.title,
                "address": request.build_absolute_uri(f"certificates/{game}"),
            }
            for game in certificates.certified_games()
        ]
        return HttpResponse(rows.encoded({"games": games}), content_type="application/json")


class Certificate(APIView):
    permission_classes = [needs("read:reports")]

    @described(
        "The certificate of a game",
        path_parameter(
            "game", s.one_of(*certificates.certified_games()), "The game.", example="easy_over_under"
        ),
        IF_NONE_MATCH,
        responses={
            200: Answer.of(
                CERTIFICATE,
                "All editions, wagers, pay tables and options, and open questions of the manual.",
                HEADERS,
            ),
            304: NOT_MODIFIED,
        },
    )
    def get(self, request: Any, game: str) -> HttpResponse:
        """Return a game's exact odds next to the odds in the manual. The exact odds are computed with the
        settlement rules by which the floor is audited. `lines` is what `manage.py certificate` prints for the
        numbers of decks in the manual. The command can also compute any other number of decks, which may take
        long.
        """
        _demand(request)
        if game not in certificates.certified_games():
            raise Http404
        lines = [certificates.plain(game, line) for line in certificates.lines(game)]
        certificate = {
            "lines": lines,
            "questions": certificates.open_questions(game),
            "contradictions": list(GAMES[game].contradictions),
        }
        return conditional_response(request, rows.encoded(certificate))


def _demand(request: Any) -> None:
    """Raise PermissionDenied if the bearer may not see odds at any property. The right at one property is
    enough, because the odds are the same at all properties.
    """
    if not properties(request.user, ACT):
        raise PermissionDenied(ACT)
