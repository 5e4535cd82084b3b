"""GET /api/v1/certificates: the games with certified odds, and for each game the lines that `manage.py
certificate --format json` prints.
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
LINE = s.named(
    "CertificateLine",
    s.object_(
        game=s.TEXT,
        edition=s.TEXT,
        wager=s.TEXT,
        unit=s.described(s.TEXT, "The unit of edge, return and variance."),
        pay_table=s.nullable(s.TEXT),
        decks=s.COUNT,
        reading=s.described(
            {"type": "object"}, "Options of the manual, or known cards, that differ from the usual ones."
        ),
        edge=ODDS,
        rtp=ODDS,
        variance=ODDS,
        hit=ODDS,
        push=ODDS,
        printed=s.described(s.nullable(s.TEXT), "What the manual prints, and where."),
        verdict=s.described(s.TEXT, "`agrees`, `contradicts` or `not printed`."),
        fits=s.described(s.nullable(s.TEXT), "An assumption under which the printed figure is correct."),
    ),
)
A_LINE: dict[str, Any] = {
    "game": "easy_over_under",
    "edition": "2010-02-05",
    "wager": "over",
    "unit": "the stake on the wager",
    "pay_table": None,
    "decks": 1,
    "reading": {},
    "edge": "5/156",
    "rtp": "151/156",
    "variance": "23939/24336",
    "hit": "6/13",
    "push": "1/78",
    "printed": "3.21% (EOU House Advantage)",
    "verdict": "agrees",
    "fits": None,
}


QUESTION = s.named(
    "OpenQuestion",
    s.object_(
        asks=s.described(s.TEXT, "What the manual leaves open."),
        answer=s.described(s.TEXT, "The answer used here."),
        cite=s.described(s.TEXT, "The heading or rule that leaves it open."),
        reading=s.described(
            s.TEXT,
            "The setting of `table-opened` with the property's answer; empty if there is only one.",
        ),
    ),
)
A_QUESTION = certificates.open_questions("high_side")[0]


class Certificates(APIView):
    permission_classes = [needs("read:reports")]

    @described(
        "Games with a certificate",
        responses=Answer(
            s.object_(games=s.array(s.object_(game=s.TEXT, title=s.TEXT, address=s.TEXT))),
            "The games.",
            {
                "games": [
                    {
                        "game": "easy_over_under",
                        "title": "Easy Over Under, Game Manual",
                        "address": "https://house.example/api/v1/certificates/easy_over_under",
                    }
                ]
            },
        ),
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
            200: Answer(
                s.object_(lines=s.array(LINE), questions=s.array(QUESTION), contradictions=s.array(s.TEXT)),
                "All editions, wagers, pay tables and options, and open questions of the manual.",
                {
                    "lines": [A_LINE],
                    "questions": [A_QUESTION],
                    "contradictions": list(GAMES["high_side"].contradictions[:1]),
                },
                headers=HEADERS,
            ),
            304: NOT_MODIFIED,
        },
    )
    def get(self, request: Any, game: str) -> HttpResponse:
        """Return a game's exact odds next to the odds in the manual. They are computed with the settlement
        rules by which the floor is audited. They are the lines that `manage.py certificate` prints for the
        numbers of decks in the manual. The command also computes any other number of decks, which may take
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
    """Raise PermissionDenied unless the bearer may see odds at any property. Odds do not belong to a
    property, so one is enough.
    """
    if not properties(request.user, ACT):
        raise PermissionDenied(ACT)
