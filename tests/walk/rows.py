"""Give the demo what its sample does not have, so that the walk of the pages sees rows on every page.

`make` records cases, verdicts, a flag, holds of recordings, entries of the log, alerts, webhooks with
deliveries of each state, tokens, a pending slip and a counted box, and returns the pages to which no link
leads. Everything is recorded as users do it: by the forms of pages, and reference data by `load_register`. A
second property is in `tests/second_property.py`.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext

from tests import screenshots
from tests.every_page import Place
from tests.walk import alerts, second_property
from tests.walk.forms import forms, post, send, upload
from tests.walk.office import Office, page
from tests.walk.second_property import load_register

SETTINGS = {"CATWALK_WEBHOOK_HTTP": "1"}
"""Environment variables with which the demo must be started, because the receiver of webhooks is on this
machine.
"""
PICTURE = Path(__file__).parents[2] / "docs" / "images" / "queue.png"
CASE_ABOUT = (
    "Two losing bets were paid in one month, both by the same dealer and to the same spot.\n\n"
    "The first is on the recording of cam-12; the second was seen from behind only."
)
REVIEW = "/hold/review/?from=2026-11-01&to=2026-11-30&by=dealer"
LONG_NOTE = (
    "The dealer turned the pay-out stack with the left hand and looked at the supervisor's chair first."
    " Compare with the hand of the day before, in which the same spot was paid after the dice had been"
    " covered."
)


def make(browser: Browser, contexts: dict[str, BrowserContext], address: str, data: Path) -> list[Place]:
    """Record the rows. Return the pages that need a name or keys of their own. Users who are signed in here
    are added to `contexts`.
    """
    users = screenshots.logins(data)
    passwords = {id: password for id, _, _, password, *_ in users if password}
    office = Office(browser, contexts, address, data, passwords)
    load_register(data, _registers())
    office.sign_in("Dora", "v-102")
    hands = office.links("Dana", "/queue/?code=wrong-settlement&state=all", r"^/hand/")
    with alerts.receiving() as receiver:
        alerts.set_up(office, receiver)
        pages = [*_judge(office, hands), *_cases(office, hands), *_recordings(office, hands[2])]
        pages += [*_log(office), *_tokens(office), *alerts.make(office)]
    if second_property.is_open():
        pages += [*_cage(office), *_count(office)]
    return [*pages, *_own_pages(office), *second_property.make(office)]


def _registers() -> dict[str, object]:
    """Return reference data that the sample does not have."""
    year = "2026-01-01"
    recorder = {
        "link": "https://recorder.example/play?camera={camera}&from={start}&to={end}",
        "overwrite_days": 30,
    }
    cameras = [("cam-11", "EOU-01"), ("cam-12", "EOU-02"), ("cam-15", "COU-01"), ("cam-16", "HS-01")]
    return {
        "thresholds": [
            {"key": "large-win", "value": {"amount": 40_000}, "from": year},
            {"key": "second-reviewer", "value": {"amount": 500_000}, "from": year},
            {"key": "private-webhooks", "value": {"demand": True}},
        ],
        "cameras": [{"key": key, "value": {"tables": [table], **recorder}} for key, table in cameras],
    }


def _judge(office: Office, hands: list[str]) -> list[Place]:
    """Give a verdict of each kind, flag a hand, assign and snooze hands."""
    decisions = (
        ("Dana", hands[3], "confirmed", "dealer_error_uncorrected_house_loss", {"losses": "108.00"}),
        ("Dana", hands[4], "dismissed", "capture_error", {}),
        ("Dora", hands[5], "escalated", "suspected_collusion", {"note": LONG_NOTE}),
        ("Dora", hands[6], "confirmed", "dealer_error_corrected_at_table", {"recovered": "10.00"}),
    )
    for user, hand, verdict, disposition, fields in decisions:
        words = {"verdict": verdict, "disposition": disposition, **fields}
        send(office.contexts[user], hand, words, to="/verdict/")
    send(office.contexts["Dana"], hands[7], {"why": LONG_NOTE}, to="/flag/")
    for path, hand, fields in (
        ("/queue/assign/", hands[8], {"to": "v-102", "owner": ""}),
        ("/queue/snooze/", hands[9], {"minutes": "60", "until": ""}),
    ):
        loaded = office.contexts["Dana"].request.get(hand)
        token = dict(forms(loaded.text())[0].values)["csrfmiddlewaretoken"]
        values = {"csrfmiddlewaretoken": token, "hand": _chosen(hand), **fields}
        post(office.contexts["Dana"], office.address + path, list(values.items()))
    stream, _, hand = _chosen(hands[3]).partition("|")
    of_hand = f"stream={stream}&hand={hand}"
    return [
        page("hand-verdict", "Dana", hands[0], ("c",)),
        page("hand-escalate", "Dana", hands[0], ("e",)),
        page("hand-flag", "Dana", hands[0], ("f",)),
        page("hand-judged", "Dana", hands[3]),
        page("hand-flagged", "Dana", hands[7]),
        page("correct", "Dana", f"/correct/?{of_hand}"),
        page("queue-snoozed", "Dana", "/queue/?state=snoozed"),
        page("queue-mine", "Dora", "/queue/?owner=me"),
        page("queue-keys", "Dana", "/queue/", ("?",)),
    ]


def _cases(office: Office, hands: list[str]) -> list[Place]:
    """Open a case with all kinds of parts, a closed case, and an overdue case that only some people see."""
    dana = office.contexts["Dana"]
    chosen = "&".join(f"hand={_chosen(hand)}" for hand in hands[:2])
    new = f"/cases/new/?{chosen}"
    values = {"concerns": "dealers-play", "title": "Losing bets paid at EOU-02", "about": CASE_ABOUT}
    case = _path(send(dana, new, values, to="/cases/new/", having={"property": "aurora"}).url)
    send(dana, case, {"note": LONG_NOTE}, to=f"{case}note/")
    upload(dana, f"{case}file/", "cam-12, the second bet.png", PICTURE.read_bytes())
    for kind, items in (("person", "d-110\nd-135"), ("hand", _spoken(hands[3]))):
        send(dana, f"{case}join/", {"what": kind, "of": items})
    subject = {"role": "patron", "description": "A man of about fifty in a grey hat", "reason": LONG_NOTE}
    barred = {"measure": "ban", "begins": "2026-11-28", "ends": "2027-11-28"}
    send(dana, f"{case}subject/", subject | barred)
    send(dana, case, {}, to="/evidence/")
    send(dana, hands[3], {}, to="/evidence/")
    closed = _path(
        send(dana, "/cases/new/", values | {"title": "A disputed payout", "concerns": "dispute"}).url
    )
    send(dana, f"{closed}close/", {"outcome": "settled", "note": "The patron was paid 25.00."})
    late = values | {"title": "Chips missing at EOU-02", "concerns": "theft", "seen_by": "v-101, i-101"}
    send(dana, "/cases/new/", late | {"due": (date(2026, 11, 30) - timedelta(2)).isoformat()})
    acts = ("change", "join", "file", "subject", "erase", "close")
    return [
        page("case", "Dana", case),
        page("case-closed", "Dana", closed),
        page("case-read", "Rhea", case),
        page("case-new-of-hands", "Dana", new),
        *(page(f"case-{act}", "Dana", f"{case}{act}/") for act in acts),
        page("hand-in-case", "Dana", hands[0]),
    ]


def _recordings(office: Office, hand: str) -> list[Place]:
    """Hold recordings: one that waits, one that is secured, one that is released. Record an export."""
    dana = office.contexts["Dana"]
    for reason in ("a patron disputes the payout", "asked for by the regulator", "training"):
        send(dana, hand, {"reason": reason, "minutes": "5"}, to="/video/hold/")
    copy = {"where": "locked on recorder 2, copy in safe 4", "sha256": "ab" * 32}
    send(dana, "/video/", copy, to="/video/secure/")
    send(dana, "/video/", {"reason": "the lesson is over"}, to="/video/release/")
    send(dana, hand, {"where": "Inspector Miller, on a disk"}, to="/video/export/")
    return [
        page("holds-waiting", "Dana", "/video/?state=ordered"),
        page("holds-secured", "Dana", "/video/?state=secured"),
        page("holds-released", "Dana", "/video/?state=released"),
        page("hand-recordings", "Dana", hand),
    ]


def _log(office: Office) -> list[Place]:
    """Write entries of several types, correct one, close one, report a camera, and hand the shift over."""
    dana, write = office.contexts["Dana"], "/log/write/"
    call = {
        "type": "call",
        "words": "The pit asked for the last hand of EOU-02.",
        "place": "surveillance room",
    }
    first = _path(send(dana, write, call).url)
    number = first.rstrip("/").rpartition("/")[2]
    corrected = {"words": "The pit asked for the last hand of EOU-01."}
    send(dana, f"{write}?corrects={number}", corrected, to=write)
    waits = {"type": "malfunction", "words": LONG_NOTE, "table": "EOU-02", "pending": "on"}
    waiting = _path(
        send(dana, write, waits | {"of_day": "2026-11-27", "disposition": "a technician comes"}).url
    )
    send(dana, write, {"type": "visitor", "words": "Two inspectors, until 22:10.", "pending": "on"})
    repaired = {"type": "malfunction", "words": "The lamp was replaced."}
    send(dana, f"{write}?closes={waiting.rstrip('/').rpartition('/')[2]}", repaired, to=write)
    cameras = "/log/cameras/"
    down = {"reason": "no picture since the storm", "state": "down"}
    send(dana, cameras, down, having={"camera": "cam-12"})
    over = _path(send(dana, "/log/hand-over/", {"words": LONG_NOTE}).url)
    send(office.contexts["Dora"], "/log/", {}, to="/log/accept/")
    send(dana, "/log/hand-over/", {"words": "The inspectors are still in the room."})
    return [
        page("log", "Dana", over),
        page("log-corrected", "Dana", first),
        page("log-waits", "Dana", waiting),
        page("log-correct", "Dana", f"{write}?corrects={number}"),
        page("log-hand-over", "Dana", "/log/hand-over/"),
        page("large-wins", "Dana", "/log/large-wins/?from=2026-11-01&to=2026-11-30"),
        page("cameras", "Dana", cameras),
    ]


def _tokens(office: Office) -> list[Place]:
    """Issue a token that lasts, one that ends soon, and one that is revoked."""
    rhea, password = office.contexts["Rhea"], office.passwords["r-101"]
    for label, days in (("month-end close", "90"), ("spreadsheet of the commission", "5"), ("old", "30")):
        fields = {"label": label, "scope": ["read:facts"], "days": days, "password": password}
        send(rhea, "/tokens/", fields | {"networks": "10.2.0.0/16 192.0.2.0/24"}, having={"label": ""})
    revoke = [form for form in forms(rhea.request.get("/tokens/").text()) if form.action.endswith("/revoke/")]
    post(rhea, office.address + revoke[0].action, revoke[0].values)
    changed = office.links("Rhea", "/tokens/", r"^/tokens/\d+/$")
    return [
        page("tokens", "Rhea", "/tokens/"),
        page("token", "Rhea", changed[0]),
        page("tokens-all", "Mia", "/tokens/all/?property=aurora"),
        page("tokens-ending", "Mia", "/tokens/all/?property=aurora&ending=1"),
    ]


def _cage(office: Office) -> list[Place]:
    """Request a fill that waits for three signatures, and one that waits for four."""
    chi = office.contexts["Chi"]
    asks = {"chips-2500": "20", "chips-500": "40"}
    signed = office.signed(requested_by="s-201", sent_by="c-101")
    slip = _path(send(chi, "/cage/ask/aurora/EOU-01/fill/", asks | signed).url)
    other = office.signed(requested_by="s-201")
    send(office.contexts["Finn"], "/cage/ask/aurora/HS-01/credit/", {"chips-500": "20"} | other)
    return [
        page("cage", "Chi", "/cage/"),
        page("cage-pending", "Chi", slip),
        page("cage-pending-floor", "Finn", slip),
        page("cage-number", "Chi", "/cage/number/aurora/?slip=F-000999"),
    ]


def _count(office: Office) -> list[Place]:
    """Count the box that waits, so that it waits for its recount. Pull another box."""
    nia = office.contexts["Nia"]
    box = office.links("Nia", "/count/", r"^/count/drop/")[0]
    team = office.signed(member_1="n-101", member_2="n-102", member_3="n-103")
    send(nia, box, {"notes-10000": "12", "notes-2000": "31"} | team)
    gus = office.contexts["Gus"]
    table = {"table": f"HS-01|{second_property.today()}", "box": "000471", "shift": "day"}
    send(gus, "/count/pull/", table | office.signed(second="s-201"))
    verify = box.replace("/drop/", "/verify/")
    return [
        page("count", "Nia", "/count/"),
        page("count-verify", "Chi", verify),
        page("count-pull", "Gus", "/count/pull/"),
    ]


def _own_pages(office: Office) -> list[Place]:
    """Begin the set-up of one-time passwords. Return pages that answer with an error, the admin's jobs, and
    reports about the rows.
    """
    for state in ("opened", "explained"):
        send(office.contexts["Dana"], REVIEW, {"state": state, "words": LONG_NOTE})
    begin = {"act": "begin"}
    send(office.contexts["Dora"], "/otp/", begin | {"password": office.passwords["v-102"]}, having=begin)
    return [
        page("otp", "Dora", "/otp/"),
        page("403", "Finn", "/queue/"),
        page("404", "Dana", "/hand/aurora/EOU-01/2026-11-14/"),
        page("404-nobody", "", "/nothing/"),
        page("405", "Dana", "/verdict/"),
        page("no-role", "Eve", "/"),
        page("dealer", "Ada", "/"),
        page("security", "Gus", "/"),
        page("jobs", "Mia", "/admin/audit/job/"),
        page("review", "Dana", REVIEW),
        page("investigations", "Rhea", "/reports/investigations/?from=2026-11-01&to=2026-12-01"),
        page("officers", "Igor", "/boards/officers/?from=2026-11-01&to=2026-11-30"),
        page("views", "Rhea", "/views/"),
    ]


def _chosen(hand: str) -> str:
    """Return the hand of this address as forms name it: `STREAM|HAND`."""
    property, table, day, name = hand.removeprefix("/hand/").rstrip("/").split("/", 3)
    return f"{property}/{table}/{day}|{name}"


def _spoken(hand: str) -> str:
    """Return the hand of this address as the form of a case names it: table, gaming day and name."""
    stream, _, name = _chosen(hand).partition("|")
    return f"{' '.join(stream.split('/')[1:])} {name}"


def _path(url: str) -> str:
    """Return the path of an address that a form redirected to."""
    return re.sub(r"^https?://[^/]+|[?#].*$", "", url)
