"""The PDF of an evidence pack. It has the case and its hands. For each hand, it has the table layout, the
wagers with the amounts owed and moved, the findings with citations, the verdicts, and the facts with their
hashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, XPos, YPos

from audit.review.case_fold import Case
from audit.review.hands import Recorded, Wager
from audit.review.verdicts import CurrentFinding, Verdict
from casino.cage.slips.pdf import printable
from casino.cases import timeline
from casino.cases.evidence import Evidence, PackHand
from casino.presentation.fact_descriptions import sentence
from casino.presentation.formatting import (
    code_label,
    date_time,
    day_label,
    finding_sentence,
    game_title,
    money,
    place,
    signed,
    wager_label,
)
from casino.surveillance.layouts.laid import Card, Laid, Place

WIDE, HIGH, MARGIN = 210.0, 297.0, 14.0
INSIDE = WIDE - 2 * MARGIN
GREY, RED, FELT = 95, (170, 30, 25), (25, 80, 63)
CARD_WIDE, CARD_HIGH, SPOT_WIDE = 13.0, 9.0, 58.0
ALIGNED = "LLRRRR"
"""The alignment of each column of the table of wagers: figures and their headings are on the right."""
WAGERS, FACTS = 200, 400
"""Maximum numbers of wagers and of facts of a hand in the PDF. `facts.ndjson` has all facts."""

LINE, HASH_LINE = 4.5, 3.2
"""Heights of a line of text and of a line with a hash, in millimetres."""
TOGETHER = 10
"""Number of lines from which a text may begin on the page before that of its hash."""


class Pages(FPDF):
    """A PDF with the position of the ledger and the page number at the foot of each page."""

    says = ""

    def footer(self) -> None:
        self.set_y(-11)
        self.set_font("Helvetica", "", 7)
        self.set_text_color(GREY)
        self.cell(INSIDE - 20, 4, printable(self.says))
        self.cell(20, 4, f"page {self.page_no()} of {{nb}}", align="R")


def render_pdf(evidence: Evidence) -> bytes:
    """Return the PDF of a pack."""
    case = evidence.case
    at = case.changed_at if case else evidence.hands[0].played.facts[-1].fact.at
    position = f"ledger position {evidence.position:,}, chain {evidence.chain.hex()}"
    pages = new_pages(evidence.title, at, f"{evidence.subject.property}, {position}")
    if case is not None:
        _case(pages, evidence, case)
    for hand in evidence.hands:
        if pages.get_y() > MARGIN + 1:
            pages.add_page()
        _hand(pages, evidence, hand)
    return bytes(pages.output())


def _case(pages: Pages, evidence: Evidence, case: Case) -> None:
    texts = evidence.texts()
    _title(pages, f"Case {case.case}", evidence.title)
    if case.about_sha256:
        _text(pages, texts[case.about_sha256], 10)
    due = day_label(case.due) if case.due else "none"
    status = timeline.STATUS_LABELS.get(case.status, case.status)
    outcome = f", {timeline.OUTCOME_LABELS.get(case.outcome, case.outcome)}" if case.outcome else ""
    _pairs(
        pages,
        (
            ("Property", evidence.subject.property),
            ("Kind", timeline.CONCERN_LABELS.get(case.concerns, case.concerns)),
            ("State", f"{status}{outcome}"),
            ("Owner", case.owner),
            ("Due", due),
            ("Opened", f"{date_time(case.opened_at, evidence.zone)} by {case.opened_by}"),
        ),
    )
    if case.subjects:
        _heading(pages, "Subjects")
        for subject in case.subjects:
            label = timeline.SUBJECT_LABELS.get(subject.role, subject.role)
            ends = f" until {day_label(subject.ends)}" if subject.ends else ""
            measure = f"{timeline.MEASURE_LABELS.get(subject.measure, subject.measure)}{ends}"
            reason = f" {texts[subject.reason_sha256]}" if subject.reason_sha256 else ""
            sentence = f"{label} {subject.id or ''}: {texts[subject.description_sha256]}. {measure}.{reason}"
            _text(pages, sentence, 9)
    if evidence.files:
        _heading(pages, "Files")
        for file in evidence.files:
            held = file.member if file.is_stored else "erased"
            _text(pages, f"{file.name}: {file.file.bytes:,} bytes, {file.file.type}, {held}", 9)
            _mono(pages, f"SHA-256 {file.file.sha256}")
    if case.parts:
        _heading(pages, "Links")
        _text(pages, "; ".join(timeline.part_label(part) for part in case.parts), 9)
    _heading(pages, "What was done, the latest first")
    for line in timeline.lines(case, texts):
        details = " ".join(part for part in (line.more, line.quoted) if part)
        at = date_time(line.at, evidence.zone)
        says = f"{at}, {line.by} {line.says}{'. ' if details else ''}{details}"
        write_with_hash(pages, says, 9, f"fact {line.fact.position}, leaf {line.fact.leaf.hex()}")


def _hand(pages: Pages, evidence: Evidence, hand: PackHand) -> None:
    played, currency = hand.played, hand.played.currency()
    table, _, day = hand.part.stream.rpartition("/")
    _title(pages, timeline.part_label(hand.part), "")
    seats = "; ".join(f"dealer {seat.dealer}, supervisor {seat.supervisor}" for seat in played.seated)
    game = game_title(played.opened.game) if played.opened is not None else "not known"
    _pairs(
        pages,
        (
            ("Table", table),
            ("Gaming day", day_label(day)),
            ("First fact", date_time(played.facts[0].fact.at, evidence.zone)),
            ("Game", game),
            ("Seated", seats or "not known"),
        ),
    )
    _layout(pages, hand, currency)
    if played.wagers:
        _heading(pages, f"Owed and moved, {currency}, + to the player")
        _lines(pages, played.wagers[:WAGERS], currency)
    _findings(pages, evidence, hand, currency)
    _heading(pages, "Facts in the order of play")
    _facts(pages, played.facts[:FACTS], evidence, currency)
    if len(played.facts) > FACTS:
        _text(pages, f"{len(played.facts) - FACTS} more facts are in facts.ndjson.", 9)


def _layout(pages: Pages, hand: PackHand, currency: str) -> None:
    """Draw the dice and every place of the table with its cards, and each spot with its wagers."""
    layout = Laid(hand.played, hand.findings, WAGERS)
    if not (layout.anything or hand.played.wagers):
        return
    _heading(pages, "Table layout")
    if layout.dice:
        _row(pages, [Card(str(value)) for value in layout.dice], "Dice")
    for placed in layout.places():
        _place(pages, placed, currency)
    pages.ln(1)


def _place(pages: Pages, placed: Place, currency: str) -> None:
    high = max(CARD_HIGH, 4.2 * len(placed.wagers)) + 3
    if pages.get_y() + high > HIGH - 18:
        pages.add_page()
    top = pages.get_y()
    pages.set_draw_color(*FELT)
    pages.rect(MARGIN, top, INSIDE, high - 1.5)
    pages.set_xy(MARGIN + 2, top + 1)
    _font(pages, 9, bold=True)
    pages.cell(SPOT_WIDE - 30, 5, printable(placed.name))
    _cards(pages, placed.cards, MARGIN + 30, top + 0.7)
    pages.set_xy(MARGIN + 100, top + 1)
    _font(pages, 8)
    for wager in placed.wagers:
        off = bool(wager.difference)
        pages.set_text_color(*(RED if off else (0, 0, 0)))
        pages.set_x(MARGIN + 100)
        owed = "not judged" if wager.owed is None else signed(wager.owed, currency)
        label = f"{wager_label(wager.wager)} {money(wager.stake, currency)}: owed {owed}, moved"
        pages.cell(
            INSIDE - 102,
            4.2,
            printable(f"{label} {signed(wager.moved, currency)}"),
            new_x=XPos.LMARGIN,
            new_y=YPos.NEXT,
        )
    pages.set_text_color(0)
    pages.set_xy(MARGIN, top + high)


def _row(pages: Pages, cards: Sequence[Card], label: str) -> None:
    top = pages.get_y()
    _font(pages, 9, bold=True)
    pages.set_xy(MARGIN + 2, top + 1)
    pages.cell(26, 5, label)
    _cards(pages, cards, MARGIN + 30, top)
    pages.set_xy(MARGIN, top + CARD_HIGH + 2)


def _cards(pages: Pages, cards: Sequence[Card], x: float, y: float) -> None:
    """Draw cards or dice side by side. A card with a finding has a red edge."""
    _font(pages, 9)
    step = min(CARD_WIDE, 68 / max(1, len(cards)))
    for place_, card in enumerate(cards):
        pages.set_draw_color(*(RED if card.kind == "odd" else (90, 90, 90)))
        pages.rect(x + place_ * step, y, step - 1, CARD_HIGH - 2)
        pages.set_xy(x + place_ * step, y + 1)
        pages.cell(step - 1, 5, printable(card.face or "?"), align="C")
    pages.set_draw_color(0)


def _lines(pages: Pages, wagers: Sequence[Wager], currency: str) -> None:
    widths = (28.0, 30.0, 24.0, 28.0, 28.0, 28.0)
    _font(pages, 8, grey=True)
    heads = ("Place", "Wager", "Stake", "Owed", "Moved", "Difference")
    for width, head, align in zip(widths, heads, ALIGNED, strict=True):
        pages.cell(width, 5, head, border="B", align=align)
    pages.ln(5)
    for wager in wagers:
        off = bool(wager.difference)
        _font(pages, 9, bold=off)
        pages.set_text_color(*(RED if off else (0, 0, 0)))
        cells = (
            place(wager.spot),
            wager_label(wager.wager),
            money(wager.stake, currency),
            "not judged" if wager.owed is None else signed(wager.owed, currency),
            signed(wager.moved, currency),
            "" if wager.difference is None else signed(wager.difference, currency),
        )
        for width, text, align in zip(widths, cells, ALIGNED, strict=True):
            pages.cell(width, 4.8, printable(text), align=align)
        pages.ln(4.8)
        if off and (wager.why or wager.cite):
            _text(pages, f"{wager.why} ({wager.cite})" if wager.cite else wager.why, 8)
    pages.set_text_color(0)


def _findings(pages: Pages, evidence: Evidence, hand: PackHand, currency: str) -> None:
    _heading(pages, "Findings and verdicts")
    if not hand.findings:
        _text(pages, "Nothing was found in this hand.", 9)
    for finding in hand.findings:
        _font(pages, 9, bold=True)
        _write(pages, f"{code_label(finding.code)} ({finding.grade})")
        _text(pages, f"{finding_sentence(finding.says)}{_amounts(finding, currency)} {finding.cite}", 9)
        for verdict in finding.verdicts:
            _text(pages, _verdict(evidence, verdict), 9)
        if not finding.verdicts:
            _text(pages, "No verdict up to this position of the ledger.", 9)


def _amounts(finding: CurrentFinding, currency: str) -> str:
    if finding.owed is None or finding.moved is None:
        return ""
    return f" Owed {signed(finding.owed, currency)}, moved {signed(finding.moved, currency)}."


def _verdict(evidence: Evidence, verdict: Verdict) -> str:
    second = f" and {verdict.second}" if verdict.second else ""
    note = evidence.notes.get(verdict.note_sha256 or "", "")
    at = date_time(verdict.at, evidence.zone)
    reason = f", {verdict.disposition.replace('_', ' ')}" if verdict.disposition else ""
    sentence = f"Verdict: {verdict.verdict}{reason}, by {verdict.by}{second}, {at}, fact {verdict.position}."
    return f"{sentence} {note}".strip()


def _facts(pages: Pages, facts: Iterable[Recorded], evidence: Evidence, currency: str) -> None:
    for recorded in facts:
        at = date_time(recorded.fact.at, evidence.zone)
        says = f"{recorded.number}. {at}: {sentence(recorded.fact, currency)}"
        write_with_hash(pages, says, 8.5, f"position {recorded.position}, leaf {recorded.leaf.hex()}")


def new_pages(title: str, at: datetime, foot: str) -> Pages:
    """Return a PDF with an empty first page.

    Args:
        title: the title of the document.
        at: the creation date, which depends only on the facts, so that the same facts give the same bytes.
        foot: the text at the foot of each page.
    """
    pages = Pages(format=(WIDE, HIGH))
    pages.set_compression(False)
    pages.set_creation_date(at)
    pages.set_producer("Catwalk")
    pages.set_title(printable(title))
    pages.set_lang("en")
    pages.set_margins(MARGIN, MARGIN)
    pages.set_auto_page_break(True, margin=16)
    pages.says = foot
    pages.add_page()
    return pages


def _title(pages: Pages, title: str, subtitle: str) -> None:
    _font(pages, 16, bold=True)
    _write(pages, title, 8)
    if subtitle:
        _font(pages, 11, grey=True)
        _write(pages, subtitle, 6)
    pages.set_text_color(0)
    pages.ln(2)


def _heading(pages: Pages, text: str) -> None:
    if pages.get_y() > HIGH - 45:
        pages.add_page()
    pages.ln(2)
    _font(pages, 11, bold=True)
    _write(pages, text, 6)


def _pairs(pages: Pages, pairs: Iterable[tuple[str, str]]) -> None:
    for label, value in pairs:
        _font(pages, 9, grey=True)
        pages.cell(28, 4.8, label)
        _font(pages, 9)
        pages.multi_cell(INSIDE - 28, 4.8, printable(value), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _text(pages: Pages, text: str, size: float) -> None:
    _font(pages, size)
    for line in text.splitlines() or [""]:
        _write(pages, line)


def write_with_hash(pages: Pages, text: str, size: float, hash_line: str) -> None:
    """Write a text and the line with its hash below it. A text of a few lines is on the page of its hash."""
    _font(pages, size)
    lines = sum(_number_of_lines(pages, line) for line in text.splitlines())
    if lines < TOGETHER and pages.will_page_break(lines * LINE + HASH_LINE):
        pages.add_page()
    _text(pages, text, size)
    _mono(pages, hash_line)


def _number_of_lines(pages: Pages, text: str) -> int:
    """Return the number of lines on which a text would be written."""
    lines = pages.multi_cell(INSIDE, LINE, printable(text), dry_run=True, output=MethodReturnValue.LINES)
    assert isinstance(lines, list)
    return len(lines)


def _mono(pages: Pages, text: str) -> None:
    pages.set_font("Courier", "", 6.5)
    pages.set_text_color(GREY)
    _write(pages, text, HASH_LINE)
    pages.set_text_color(0)


def _write(pages: Pages, text: str, high: float = LINE) -> None:
    pages.multi_cell(INSIDE, high, printable(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _font(pages: Pages, size: float, *, bold: bool = False, grey: bool = False) -> None:
    pages.set_font("Helvetica", "B" if bold else "", size)
    pages.set_text_color(GREY if grey else 0)
