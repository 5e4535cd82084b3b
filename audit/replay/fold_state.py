"""The state of the table fold between two rounds: a cache that may be deleted at any time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct, field, msgpack

from audit.replay.boxes import Boxes
from audit.replay.marker_chips import OnMarkers
from audit.replay.recounts import Recounts
from audit.replay.results import Tally
from audit.replay.slips import Slip
from games.kit import events as e
from games.kit.shoe import Shoe


@dataclass(slots=True)
class SourceSeen:
    """The last number that a source has sent, and its last clock time. Every fact changes it, so it is a
    dataclass: see `Play`.
    """

    n: int = 0
    at: datetime | None = None


class State(Struct):
    """The state of the table fold between two rounds. This cache may be deleted, because it can be computed
    from the facts.
    """

    number: int = 0
    opened: e.TableOpened | None = None
    open: bool = False
    """True if the table is open for play."""
    paused: str = ""
    """Why and when play was paused, if it is paused between two rounds. Otherwise empty."""
    shoe: Shoe | None = None
    dealer: str = ""
    supervisor: str = ""
    names: list[str] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict)
    """For each spot whose player is disconnected: the round in which the connection was lost, or an empty
    text if it was lost between two rounds.
    """
    learned: list[str] = field(default_factory=list)
    """The uids of the corrected readings and cancelled rounds by which all facts so far were judged."""
    cancelled: list[str] = field(default_factory=list)
    """Rounds that have been cancelled."""
    alarms: dict[str, str] = field(default_factory=dict)
    sources: dict[str, SourceSeen] = field(default_factory=dict)
    slips: dict[str, Slip] = field(default_factory=dict)
    boxes: Boxes = field(default_factory=Boxes)
    recounts: Recounts = field(default_factory=Recounts)
    on_markers: OnMarkers = field(default_factory=OnMarkers)
    tray: dict[str, int] = field(default_factory=dict)
    """The net amount that play has added to the tray in this stream, by currency, in minor units."""
    began: dict[str, str] = field(default_factory=dict)
    """For each currency: the clock time at which the stream's first round in this currency was opened."""
    checks: dict[str, bytes] = field(default_factory=dict)
    settings: list[tuple[int, str, list[str], str, int, dict[str, str]]] = field(default_factory=list)
    """The openings of the table. Each has its number, the game, the kinds that the table reports, the
    edition, the decks and the answers to open questions.
    """
    tally: Tally = field(default_factory=Tally)


read_state = msgpack.Decoder(State).decode
write_state = msgpack.Encoder().encode
