"""The closed lists of words in facts about cases, with what each word means."""

from __future__ import annotations

SUSPICION = "suspicion"
CONCERNS = {
    "dealers-play": "how a dealer dealt, paid or took",
    "patrons-play": "how a patron played: a past post, a cap, cards held back",
    "collusion": "a dealer and a patron together",
    "procedure": "how slips, counts, boxes or shoes were handled",
    "theft": "chips, cash or property were taken",
    "dispute": "a patron contests what was paid or taken",
    "other": "anything else",
    SUSPICION: "a suspicion of money laundering, which only the compliance role sees",
}
"""The kinds of case."""
STATUSES = {
    "open": "nobody works on it yet",
    "in-work": "somebody works on it",
    "waiting": "something from outside is awaited",
    "review": "somebody else checks the work",
}
"""The stages of the work on an open case."""
OUTCOMES = {
    "confirmed": "it happened as was suspected",
    "not-confirmed": "it did not happen, or it cannot be shown",
    "settled": "it was settled with the patron",
    "referred": "it was referred to the regulator or the police",
    "reported": "it was reported to the authority for money laundering",
    "no-action": "nothing was done",
}
"""The ways in which a case can end."""
PARTS = {
    "hand": "a hand, or a fact outside all hands",
    "slip": "a slip, by its serial",
    "count": "a count, by the `uid` of its fact",
    "person": "somebody who works here, by staff ID",
    "player": "a player account",
    "case": "another case",
}
"""The items that a case can contain."""
SUBJECTS = {"patron": "plays here", "dealer": "deals here", "other": "anybody else"}
"""The kinds of people whom a case can be about."""
MEASURES = {
    "none": "nothing was decided",
    "watch": "surveillance watches the person's play",
    "ban": "the person may not play here",
}
"""The measures that can be decided about a person."""
ERASURES = {
    "retention-ended": "it was kept for as long as the law or the property's rule demands",
    "asked-by-person": "the person demanded it, and the law grants it",
    "ordered": "a court or an authority ordered it",
    "wrong-person": "it was about somebody else",
    "wrong-file": "the file or the words did not belong to the case",
}
"""The grounds on which words or files of a case can be erased."""
