"""Draw how the rooms of the code import one another: `python -m tests.architecture`, part of `make docs`.

A room is a folder of `casino`, `audit` or `games`. The script reads the imports from the source and writes
`docs/images/architecture.svg`. A room is drawn above all rooms that it imports. An import is not drawn if it
follows from others.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

from audit.source_closure import imported_names

PROJECT = Path(__file__).resolve().parents[1]
PICTURE = PROJECT / "docs" / "images" / "architecture.svg"
PACKAGES = ("casino", "audit", "games")
"""The packages in the order from the top of the picture to its bottom."""
GAMES = "games/…"
"""The seven games are one room in the picture, because each of them imports only the kit."""
LEFT_OUT = ("migrations", "static", "management", "templatetags")
ROW, BOX_HEIGHT, LETTER, WIDTH, GAP = 62, 30, 7.6, 860, 16
COLORS = {"casino": "#19503f", "audit": "#2b5797", "games": "#8a5300"}

Edges = dict[str, set[str]]


def room_of(parts: tuple[str, ...]) -> str | None:
    """Return the room of a module, given as the parts of its dotted name; None if it is not drawn."""
    if not parts or parts[0] not in PACKAGES or len(parts) < 2 or parts[1] in LEFT_OUT:
        return None
    if parts[0] == "games" and parts[1] != "kit":
        return GAMES
    if not (PROJECT / parts[0] / parts[1]).is_dir():
        return None
    return f"{parts[0]}/{parts[1]}"


def edges() -> Edges:
    """Return each room with the rooms that it imports."""
    targets_of: Edges = {}
    for package in PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            room = room_of(path.relative_to(PROJECT).with_suffix("").parts)
            if room is None:
                continue
            targets = {
                room_of(tuple(name.split("."))) for name in imported_names(path.read_text(encoding="utf-8"))
            }
            targets_of.setdefault(room, set()).update(
                target for target in targets if target is not None and target != room
            )
    for target in {target for targets in targets_of.values() for target in targets}:
        targets_of.setdefault(target, set())
    return targets_of


def reached(room: str, graph: Edges) -> set[str]:
    """Return every room that a room imports, directly or through others."""
    reached_rooms: set[str] = set()
    waiting = [room]
    while waiting:
        for target in graph[waiting.pop()] - reached_rooms:
            reached_rooms.add(target)
            waiting.append(target)
    return reached_rooms


def needed(graph: Edges) -> Edges:
    """Return the graph without the imports that follow from other imports."""
    reach = {room: reached(room, graph) for room in graph}
    return {
        room: {
            target
            for target in targets
            if not any(target in reach[other] and room not in reach[other] for other in targets - {target})
        }
        for room, targets in graph.items()
    }


def rows(graph: Edges) -> list[list[str]]:
    """Return the rooms by rows, from the bottom to the top. A room is above all rooms that it imports.

    Each package begins above the package below it. Rooms that import each other are in the same row.
    """
    reach = {room: reached(room, graph) for room in graph}
    levels: list[list[str]] = []
    for package in reversed(PACKAGES):
        own = {room for room in graph if room.startswith(package)}
        while own:
            row = {room for room in own if all(room in reach[other] for other in reach[room] & own - {room})}
            levels.append(sorted(row))
            own -= row
    return levels


def draw(graph: Edges) -> str:
    """Return the picture as SVG."""
    levels = rows(graph)
    height = ROW * len(levels) + 50
    places: dict[str, tuple[float, float, float]] = {}
    for number, row in enumerate(levels):
        widths = [LETTER * len(room) + 22 for room in row]
        left = (WIDTH - sum(widths) - GAP * (len(row) - 1)) / 2
        for room, width in zip(row, widths, strict=True):
            places[room] = (left, height - 45 - ROW * number, width)
            left += width + GAP
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" font-family="DejaVu Sans, sans-serif" font-size="13" role="img" '
            'aria-label="Rooms of the code and what they import">'
        ),
        f'<rect width="{WIDTH}" height="{height}" fill="#fffefb"/>',
        '<g stroke="#8d928c" stroke-opacity="0.55" fill="none">',
    ]
    for room, targets in sorted(needed(graph).items()):
        left, top, width = places[room]
        for target in sorted(targets):
            to_left, to_top, to_width = places[target]
            x, y, to_x = left + width / 2, top + BOX_HEIGHT, to_left + to_width / 2
            lines.append(f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + 24:.0f} {to_x:.0f} {to_top - 24:.0f} ')
            lines[-1] += f'{to_x:.0f} {to_top:.0f}"/>'
    lines.append("</g>")
    for room, (left, top, width) in sorted(places.items()):
        color = COLORS[room.split("/")[0]]
        lines.append(
            f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{BOX_HEIGHT}" rx="6" '
            f'fill="{color}"/>'
            f'<text x="{left + width / 2:.0f}" y="{top + 20:.0f}" text-anchor="middle" fill="#fff">'
            f"{escape(room)}</text>"
        )
    return "\n".join([*lines, "</svg>", ""])


def main() -> int:
    """Write the picture. Return the exit code."""
    graph = edges()
    PICTURE.write_text(draw(graph), encoding="utf-8")
    print(f"docs/images/architecture.svg: {len(graph)} rooms, {sum(map(len, graph.values()))} imports")
    return 0


if __name__ == "__main__":
    sys.exit(main())
