"""What the table fold carries over a moment between two rounds: a cache that may be deleted at any time."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field, msgpack

from audit.replay.boxes import Boxes
from audit.replay.marker_chips import OnMarkers
from audit.replay.recounts import Recounts
from audit.replay.results import Tally
from audit.replay.tally import Slip
from games.kit import events as e
from games.kit.shoe import Shoe


class SourceSeen(Struct):
    """How far a source has counted, and its last clock."""

    n: int = 0
    at: datetime | None = None


class State(Struct):
    """What the fold carries over a moment between two rounds. A cache: deleted at will, never a second
    truth.
    """

    number: int = 0
    opened: e.TableOpened | None = None
    open: bool = False
    """Whether the table is open for play."""
    paused: str = ""
    """Why and when play was paused between two rounds, while it is."""
    shoe: Shoe | None = None
    dealer: str = ""
    names: list[str] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict)
    """Players who have lost the connection and are not back: spot to the round in which it was lost, empty
    between two rounds.
    """
    learned: list[str] = field(default_factory=list)
    """The uids of the corrected readings and cancelled rounds by which everything so far was judged."""
    cancelled: list[str] = field(default_factory=list)
    """Rounds that have been cancelled."""
    alarms: dict[str, str] = field(default_factory=dict)
    sources: dict[str, SourceSeen] = field(default_factory=dict)
    slips: dict[str, Slip] = field(default_factory=dict)
    boxes: Boxes = field(default_factory=Boxes)
    recounts: Recounts = field(default_factory=Recounts)
    on_markers: OnMarkers = field(default_factory=OnMarkers)
    tray: dict[str, int] = field(default_factory=dict)
    """What play has brought to the tray in this stream, by currency, minor units."""
    began: dict[str, str] = field(default_factory=dict)
    """Currency to when the first round of the stream in it was opened, by its clock."""
    checks: dict[str, bytes] = field(default_factory=dict)
    settings: list[tuple[int, str, list[str], str, int, dict[str, str]]] = field(default_factory=list)
    """Each opening: its number, its game, what the table sees, the edition, the decks and the readings."""
    tally: Tally = field(default_factory=Tally)


read_state = msgpack.Decoder(State).decode
write_state = msgpack.Encoder().encode
