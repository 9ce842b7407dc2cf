"""Things and rooms of a memory as shapes, before they are messages."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple

Point = Tuple[float, float, float]
LEAST_SIDE_M = 0.02
# Kinds of which nothing is drawn where they no longer are.
SHOWN = {"there", "unknown"}


@dataclass(frozen=True)
class Thing:
    id: str
    name: str
    centre: Point
    size: Point
    colour: Tuple[float, float, float]
    # Not looked at lately, or its place was looked at without an answer.
    is_sure: bool


@dataclass(frozen=True)
class Room:
    id: str
    name: str
    # Its corners, the first one again at the end.
    outline: Tuple[Point, ...]

    @property
    def middle(self) -> Point:
        corners = self.outline[:-1]
        x, y, z = (sum(corner[i] for corner in corners) / len(corners) for i in range(3))
        return (x, y, z)


def things_in(hits: Iterable[Mapping[str, Any]]) -> List[Thing]:
    """The things of a search for states with what is believed of them: each once, and only where it is believed to be."""
    found = {}
    for hit in hits:
        believed, box = hit.get("believed"), hit.get("box")
        if believed is None or believed["status"] not in SHOWN or believed["trackId"] in found:
            continue
        centre = _point(believed.get("position") or hit.get("position"))
        if centre is None:
            continue
        size = _size(box)
        name = believed["name"]
        is_sure = believed["status"] == "there"
        found[believed["trackId"]] = Thing(believed["trackId"], name, centre, size, colour_of(name), is_sure)
    return list(found.values())


def rooms_in(hits: Iterable[Mapping[str, Any]]) -> List[Room]:
    """The rooms that are now, of a search for regions of the category room; those without an outline are left out."""
    rooms = []
    for hit in hits:
        record = hit["record"]
        corners = [_point(corner) for corner in record.get("hull") or ()]
        if record.get("validToUs") is not None or len(corners) < 3 or None in corners:
            continue
        rooms.append(Room(record["id"], record.get("name") or "room", tuple([*corners, corners[0]])))
    return rooms


def gone(before: Sequence[str], now: Sequence[str]) -> List[str]:
    """What was drawn and is no more."""
    return [id for id in before if id not in set(now)]


def number_of(id: str) -> int:
    """A marker's number: the same for the same id, from 0 to 2³¹ - 1."""
    return zlib.crc32(id.encode()) & 0x7FFF_FFFF


def colour_of(name: str) -> Tuple[float, float, float]:
    """A bright colour, the same for the same name."""
    turn = (zlib.crc32(name.encode()) % 360) / 60
    rest = 1 - abs(turn % 2 - 1)
    ways = [(1, rest, 0), (rest, 1, 0), (0, 1, rest), (0, rest, 1), (rest, 0, 1), (1, 0, rest)]
    red, green, blue = ways[int(turn)]
    return (0.3 + 0.7 * red, 0.3 + 0.7 * green, 0.3 + 0.7 * blue)


def _point(given: Optional[Mapping[str, float]]) -> Optional[Point]:
    return None if given is None else (float(given["x"]), float(given["y"]), float(given["z"]))


def _size(box: Optional[Mapping[str, Any]]) -> Point:
    least, most = (_point(box[side]) if box else None for side in ("min", "max"))
    if least is None or most is None:
        return (LEAST_SIDE_M, LEAST_SIDE_M, LEAST_SIDE_M)
    x, y, z = (max(LEAST_SIDE_M, most[i] - least[i]) for i in range(3))
    return (x, y, z)
