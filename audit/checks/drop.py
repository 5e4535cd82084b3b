"""Every box that was pulled is counted before its day is closed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.checks import Seen, StreamCheck
from games.kit.breach import Breach
from games.kit.events import Event


class Kept(Struct):
    """Boxes by number and shift, pulled and not yet counted, and those counted."""

    pulled: list[tuple[str, str]] = field(default_factory=list)
    counted: list[tuple[str, str]] = field(default_factory=list)


class Drop(StreamCheck):
    name = "drop"
    codes = ("drop-missing",)
    cite = "Facts Kinds at the cage and in the count room, box-pulled and drop-counted"
    kinds = (f.BoxPulled, f.DropCounted, f.DayClosed)
    Kept = Kept

    def see(self, event: Event, seen: Seen) -> Iterator[Breach]:
        kept = self.kept
        assert isinstance(kept, Kept)
        if isinstance(event, f.BoxPulled | f.DropCounted):
            (kept.pulled if isinstance(event, f.BoxPulled) else kept.counted).append((event.box, event.shift))
        else:
            missing = self.missing()
            if missing:
                boxes = ", ".join(f"{box} of shift {shift}" for box, shift in missing)
                yield self.breach("drop-missing", event, f"The day was closed, and no count came for box {boxes}.")

    def missing(self) -> list[tuple[str, str]]:
        """Boxes that were pulled and have no count; a box pulled twice in a shift wants two."""
        kept = self.kept
        assert isinstance(kept, Kept)
        left = list(kept.counted)
        open_boxes = []
        for box in kept.pulled:
            if box in left:
                left.remove(box)
            else:
                open_boxes.append(box)
        return open_boxes


CHECK = Drop
