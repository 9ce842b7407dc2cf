"""A body for `loci explore --body ws://HOST:PORT` (docs/body.md): the server, and a small world of boxes to drive in.

Python 3.9 or newer, standard library only; `loci.py` lies beside it.

    python3 loci_body.py --world house.json --port 8790

Another world (habitat_body.py, a robot) brings an object with `agent`, `model`, `whereabouts()`, `look()` and
`go(to, limits, moved, stopped)`, and calls `serve(body, port)`.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import heapq
import json
import math
import select
import socket
import struct
import sys
import time
from typing import Any, Callable, Optional

from loci import png

VERSION = 1
MAX_BYTES = 1 << 20
"""Of a message from the explorer: its messages are small."""
SILENT_S = 3600.0
"""A connection that says nothing for so long is closed."""


class Refused(Exception):
    """What is said to the explorer as the reason why a call failed."""


class _Link:
    """One WebSocket connection, server side (RFC 6455): text messages, ping and close."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._bytes = b""
        connection.settimeout(SILENT_S)

    def shake_hands(self) -> None:
        while b"\r\n\r\n" not in self._bytes:
            if len(self._bytes) > 16_384:
                raise ConnectionError("the request is too long")
            self._more()
        head, self._bytes = self._bytes.split(b"\r\n\r\n", 1)
        fields = dict(
            (name.strip().lower(), value.strip())
            for name, _, value in (line.partition(":") for line in head.decode("latin1").split("\r\n")[1:])
        )
        key = fields.get("sec-websocket-key")
        if key is None:
            self._socket.sendall(b"HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n")
            raise ConnectionError("no WebSocket was asked for")
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        accept = base64.b64encode(digest).decode()
        self._socket.sendall(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )

    def has_message(self) -> bool:
        return len(self._bytes) > 0 or bool(select.select([self._socket], [], [], 0)[0])

    def read(self) -> Optional[dict[str, Any]]:
        """The next message; None once the explorer has left."""
        text = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", self._take(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self._take(8))
            if len(text) + size > MAX_BYTES or not second & 0x80:
                raise ConnectionError("the message is too long, or not masked")
            mask = self._take(4)
            data = bytes(byte ^ mask[n & 3] for n, byte in enumerate(self._take(size)))
            kind = first & 0x0F
            if kind == 8:
                return None
            if kind == 9:
                self._send(10, data)
            elif kind in (0, 1):
                text += data
                if first & 0x80:
                    return json.loads(text)

    def say(self, message: dict[str, Any]) -> None:
        self._send(1, json.dumps(message, allow_nan=False).encode())

    def _send(self, kind: int, data: bytes) -> None:
        size = len(data)
        if size < 126:
            head = struct.pack(">BB", 0x80 | kind, size)
        elif size < 65_536:
            head = struct.pack(">BBH", 0x80 | kind, 126, size)
        else:
            head = struct.pack(">BBQ", 0x80 | kind, 127, size)
        self._socket.sendall(head + data)

    def _take(self, count: int) -> bytes:
        while len(self._bytes) < count:
            self._more()
        taken, self._bytes = self._bytes[:count], self._bytes[count:]
        return taken

    def _more(self) -> None:
        data = self._socket.recv(65_536)
        if not data:
            raise ConnectionError("the explorer left")
        self._bytes += data


def serve(body: Any, port: int = 8790, host: str = "127.0.0.1", connections: Optional[int] = None) -> None:
    """Serves one explorer after the other; prints the address, which says the port where 0 was asked for."""
    with socket.create_server((host, port)) as server:
        print(f"a body at ws://{host}:{server.getsockname()[1]}", flush=True)
        while connections is None or connections > 0:
            connection, _ = server.accept()
            if connections is not None:
                connections -= 1
            with connection:
                try:
                    link = _Link(connection)
                    link.shake_hands()
                    _converse(body, link)
                except (OSError, ValueError) as error:
                    print(f"a connection ended: {error}", file=sys.stderr, flush=True)


def _converse(body: Any, link: _Link) -> None:
    while (said := link.read()) is not None:
        number = said.get("id")
        if number is None:  # a stop that came after the drive
            continue
        try:
            link.say({"id": number, "ok": True, **_answer(body, said, link)})
        except Refused as error:
            link.say({"id": number, "ok": False, "error": str(error)[:512]})


def _answer(body: Any, said: dict[str, Any], link: _Link) -> dict[str, Any]:
    op = said.get("op")
    if op == "hello":
        return {"version": VERSION, "agent": body.agent, "model": body.model}
    if op == "whereabouts":
        return {"at": body.whereabouts()}
    if op == "look":
        return {"frames": body.look()}
    if op == "go":
        over = False

        def stopped() -> bool:
            nonlocal over
            while not over and link.has_message():
                heard = link.read()
                over = heard is None or heard.get("op") == "stop"
            return over

        limits = {name: said.get(name) or math.inf for name in ("maxPathM", "maxTimeS", "maxSpeedMps")}
        moved: Callable[[dict[str, Any]], None] = lambda at: link.say({"id": said["id"], "move": at})
        return body.go(said["to"], limits, moved, stopped)
    raise Refused(f'expected hello, whereabouts, look or go, got "{op}"')


def wrapped(angle: float) -> float:
    return math.atan2(math.sin(angle), math.cos(angle))


class Box:
    """An upright box with a heading; several may be parts of one thing."""

    def __init__(self, line: dict[str, Any]) -> None:
        self.thing: int = line["thing"]
        self.x, self.y, z = line["centre"]
        width, depth, height = line["size"]
        self.half_x, self.half_y = width / 2, depth / 2
        self.bottom, self.top = z - height / 2, z + height / 2
        self.cos, self.sin = math.cos(line.get("yaw", 0.0)), math.sin(line.get("yaw", 0.0))
        self.rgb = bytes(line.get("rgb", (128, 128, 128)))
        self.is_floor: bool = line.get("floor", False)

    def local(self, x: float, y: float) -> tuple[float, float]:
        dx, dy = x - self.x, y - self.y
        return self.cos * dx + self.sin * dy, self.cos * dy - self.sin * dx

    def hit(self, x: float, y: float, dx: float, dy: float) -> Optional[tuple[float, float]]:
        """Where a line over the floor enters and leaves it, in lengths of (dx, dy)."""
        px, py = self.local(x, y)
        enters, leaves = -math.inf, math.inf
        for p, d, half in (
            (px, self.cos * dx + self.sin * dy, self.half_x),
            (py, self.cos * dy - self.sin * dx, self.half_y),
        ):
            if abs(d) < 1e-12:
                if abs(p) > half:
                    return None
                continue
            a, b = (-half - p) / d, (half - p) / d
            enters, leaves = max(enters, min(a, b)), min(leaves, max(a, b))
        return (enters, leaves) if leaves > max(enters, NEAR_M) else None


NEAR_M = 0.05
FAR_M = 12.0
CELL_M = 0.1
STEP_OVER_M = 0.03
HEIGHT_M = 1.6
ARRIVED_M = 0.45
MOVE_EVERY_M = 0.25
FRAME_EVERY_M = 1.5
LEAST_PIXELS = 9


class BoxWorld:
    """A house of boxes: what is seen is cast column by column, since a level camera's columns are upright planes."""

    def __init__(self, world: dict[str, Any], size: int = 160) -> None:
        self.things = {thing["number"]: thing for thing in world["things"]}
        self.boxes = [Box(line) for line in world["boxes"]]
        x, y, z, yaw = world["start"]
        self.x, self.y, self.floor_z, self.yaw = x, y, z, yaw
        self.time_us = int(world.get("startUs") or time.time_ns() // 1000)
        self.eye_m, fov = 1.5, math.radians(120)
        # A lens shifted down: with the horizon high in the picture it sees the floor from 0.35 m on, and stays level.
        self.width, self.height, self.horizon = size, size * 3 // 2, size // 4
        self.focal = size / 2 / math.tan(fov / 2)
        self.agent = "robot-1"
        self.model = {
            "radiusM": 0.2, "speedMps": 1.0, "turnRadps": 1.5, "eyeHeightM": self.eye_m,
            "horizontalFovRad": fov, "focalPx": self.focal, "sightM": 7.0,
        }  # fmt: skip
        self._seen: list[dict[str, Any]] = []
        self._draw_floor()

    def whereabouts(self) -> dict[str, Any]:
        place = {"x": self.x, "y": self.y, "z": self.floor_z}
        return {"position": place, "yawRad": self.yaw, "timeUs": self.time_us, "sdM": 0.0, "yawSdRad": 0.0}

    def look(self) -> list[dict[str, Any]]:
        seen, self._seen = [*self._seen, self._frame()], []
        return seen

    def go(
        self,
        to: dict[str, Any],
        limits: dict[str, float],
        moved: Callable[[dict[str, Any]], None],
        stopped: Callable[[], bool],
    ) -> dict[str, Any]:
        goal = (to["position"]["x"], to["position"]["y"])
        path = self._path(goal)
        if path is None:
            return self._went("refused", 0.0, 0.0, "no way leads there")
        speed = min(self.model["speedMps"], limits["maxSpeedMps"])
        driven, turned, told, pictured, began = 0.0, 0.0, 0.0, 0.0, self.time_us
        for x, y in path:
            step = math.hypot(x - self.x, y - self.y)
            if step < 1e-9:
                continue
            if stopped():
                return self._went("cancelled", driven, turned, "it was told to stop")
            if driven + step > limits["maxPathM"] + 1e-6:
                return self._went("limit", driven, turned, "its metres ran out")
            if self.time_us - began > limits["maxTimeS"] * 1e6:
                return self._went("limit", driven, turned, "its time ran out")
            turned += self._turn(math.atan2(y - self.y, x - self.x))
            self.x, self.y = x, y
            self.time_us += int(step / speed * 1e6)
            driven, told, pictured = driven + step, told + step, pictured + step
            if told >= MOVE_EVERY_M:
                told = 0.0
                moved(self.whereabouts())
            if pictured >= FRAME_EVERY_M:
                pictured = 0.0
                self._seen.append(self._frame())
        turned += self._turn(to["yawRad"])
        return self._went("arrived", driven, turned)

    def _went(self, outcome: str, driven: float, turned: float, why: Optional[str] = None) -> dict[str, Any]:
        went = {"outcome": outcome, "pathM": driven, "turnRad": turned, "at": self.whereabouts()}
        return went if why is None else {**went, "why": why}

    def _turn(self, yaw: float) -> float:
        angle = abs(wrapped(yaw - self.yaw))
        self.yaw = wrapped(yaw)
        self.time_us += int(angle / self.model["turnRadps"] * 1e6)
        return angle

    # Where it can stand: cells of the floor whose middle is a radius away from everything in its way.

    def _draw_floor(self) -> None:
        floors = [box for box in self.boxes if box.is_floor and abs(box.top - self.floor_z) < 0.5]
        if not floors:
            raise Refused("expected a world with a floor under its start")
        reach = [math.hypot(box.half_x, box.half_y) for box in floors]
        self._x0 = min(box.x - r for box, r in zip(floors, reach))
        self._y0 = min(box.y - r for box, r in zip(floors, reach))
        self._columns = math.ceil((max(box.x + r for box, r in zip(floors, reach)) - self._x0) / CELL_M)
        self._rows = math.ceil((max(box.y + r for box, r in zip(floors, reach)) - self._y0) / CELL_M)
        if self._columns * self._rows > 4_000_000:
            raise Refused("expected a house, got a world of more than 4,000,000 cells of floor")
        self._free = bytearray(self._columns * self._rows)
        radius = float(self.model["radiusM"])
        for box in floors:
            self._fill(box, 0.0, 1)
        for box in self.boxes:
            low, high = box.bottom - self.floor_z, box.top - self.floor_z
            if not box.is_floor and high > STEP_OVER_M and low < HEIGHT_M:
                self._fill(box, radius, 0)

    def _fill(self, box: Box, margin: float, value: int) -> None:
        reach = math.hypot(box.half_x, box.half_y) + margin
        for row in range(max(0, self._row(box.y - reach)), min(self._rows, self._row(box.y + reach) + 1)):
            for column in range(max(0, self._column(box.x - reach)), min(self._columns, self._column(box.x + reach) + 1)):
                px, py = box.local(self._x0 + (column + 0.5) * CELL_M, self._y0 + (row + 0.5) * CELL_M)
                outside = math.hypot(max(0.0, abs(px) - box.half_x), max(0.0, abs(py) - box.half_y))
                if outside <= margin:
                    self._free[row * self._columns + column] = value

    def _column(self, x: float) -> int:
        return math.floor((x - self._x0) / CELL_M)

    def _row(self, y: float) -> int:
        return math.floor((y - self._y0) / CELL_M)

    def _cell_near(self, x: float, y: float) -> Optional[int]:
        best, least = None, ARRIVED_M
        around = math.ceil(ARRIVED_M / CELL_M)
        for row in range(max(0, self._row(y) - around), min(self._rows, self._row(y) + around + 1)):
            for column in range(max(0, self._column(x) - around), min(self._columns, self._column(x) + around + 1)):
                cell = row * self._columns + column
                away = math.hypot(self._x0 + (column + 0.5) * CELL_M - x, self._y0 + (row + 0.5) * CELL_M - y)
                if self._free[cell] and away <= least:
                    best, least = cell, away
        return best

    def _point(self, cell: int) -> tuple[float, float]:
        row, column = divmod(cell, self._columns)
        return self._x0 + (column + 0.5) * CELL_M, self._y0 + (row + 0.5) * CELL_M

    def _path(self, goal: tuple[float, float]) -> Optional[list[tuple[float, float]]]:
        """A* over the free cells, eight neighbours; short steps, so that a stop is obeyed at once."""
        if math.hypot(goal[0] - self.x, goal[1] - self.y) < 0.02:
            return []
        start, end = self._cell_near(self.x, self.y), self._cell_near(*goal)
        if start is None or end is None:
            return None
        (goal_row, goal_column), width = divmod(end, self._columns), self._columns
        cost, before, done = {start: 0.0}, {start: start}, set()
        waiting = [(0.0, start)]
        while waiting:
            _, cell = heapq.heappop(waiting)
            if cell == end:
                break
            if cell in done:
                continue
            done.add(cell)
            row, column = divmod(cell, width)
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    r, c = row + dr, column + dc
                    if not (0 <= r < self._rows and 0 <= c < width) or not self._free[r * width + c]:
                        continue
                    if dr and dc and not (self._free[row * width + c] and self._free[r * width + column]):
                        continue
                    to, new = r * width + c, cost[cell] + math.hypot(dr, dc)
                    if new < cost.get(to, math.inf):
                        cost[to], before[to] = new, cell
                        heapq.heappush(waiting, (new + math.hypot(goal_row - r, goal_column - c), to))
        if end not in before:
            return None
        cells = [end]
        while cells[-1] != start:
            cells.append(before[cells[-1]])
        return [self._point(cell) for cell in reversed(cells)]

    # What it sees.

    def _frame(self) -> dict[str, Any]:
        width, height, focal, horizon = self.width, self.height, self.focal, self.horizon
        eye_z = self.floor_z + self.eye_m
        depth = [FAR_M] * (width * height)
        owner = [-1] * (width * height)
        ahead, right = (math.cos(self.yaw), math.sin(self.yaw)), (math.sin(self.yaw), -math.cos(self.yaw))
        near = [box for box in enumerate(self.boxes) if self._may_be_seen(box[1], ahead)]
        for column in range(width):
            aside = (column + 0.5 - width / 2) / focal
            dx, dy = ahead[0] + right[0] * aside, ahead[1] + right[1] * aside
            for number, box in near:
                hit = box.hit(self.x, self.y, dx, dy)
                if hit is None or hit[0] > FAR_M:
                    continue
                enters, leaves = max(hit[0], NEAR_M), min(hit[1], FAR_M)
                top, bottom = eye_z - box.top, eye_z - box.bottom  # metres below the eye
                first, last = horizon + focal * top / enters, horizon + focal * bottom / enters
                if hit[0] > NEAR_M:
                    for row in range(max(0, math.ceil(first - 0.5)), min(height, math.ceil(last - 0.5))):
                        at = row * width + column
                        if enters < depth[at]:
                            depth[at], owner[at] = enters, number
                # The top seen from above, or the underside seen from below.
                for below, edge in ((top, first), (bottom, last)):
                    if (below > 0) != (below == top) or below == 0:
                        continue
                    far_edge = horizon + focal * below / leaves
                    low, high = min(edge, far_edge), max(edge, far_edge)
                    for row in range(max(0, math.ceil(low - 0.5)), min(height, math.ceil(high - 0.5))):
                        away, at = focal * below / (row + 0.5 - horizon), row * width + column
                        if NEAR_M < away < depth[at]:
                            depth[at], owner[at] = away, number
        self.time_us += 1  # a frame is known by its time
        return self._told(depth, owner)

    def _may_be_seen(self, box: Box, ahead: tuple[float, float]) -> bool:
        reach = math.hypot(box.half_x, box.half_y)
        dx, dy = box.x - self.x, box.y - self.y
        return dx * ahead[0] + dy * ahead[1] > -reach and math.hypot(dx, dy) < FAR_M + reach

    def _told(self, depth: list[float], owner: list[int]) -> dict[str, Any]:
        width, height = self.width, self.height
        counts: dict[int, list[int]] = {}
        for at, number in enumerate(owner):
            thing = self.boxes[number].thing if number >= 0 else 0
            if thing not in self.things:
                continue
            row, column = divmod(at, width)
            seen = counts.setdefault(thing, [0, width, height, 0, 0])
            seen[0] += 1
            seen[1], seen[2] = min(seen[1], column), min(seen[2], row)
            seen[3], seen[4] = max(seen[3], column + 1), max(seen[4], row + 1)
        numbers = {thing: n + 1 for n, thing in enumerate(t for t, seen in counts.items() if seen[0] >= LEAST_PIXELS)}
        nothing = b"\xaa\xbe\xd2"
        colours = b"".join(self.boxes[number].rgb if number >= 0 else nothing for number in owner)
        ranges = struct.pack(f"<{width * height}H", *(0 if away >= FAR_M else int(away * 1000) for away in depth))
        masks = struct.pack(
            f"<{width * height}H", *(numbers.get(self.boxes[n].thing, 0) if n >= 0 else 0 for n in owner)
        )
        grey = {"bits": 16, "channels": 1}
        c, s = math.cos(self.yaw / 2), math.sin(self.yaw / 2)
        # Optical axes of a level camera (z forward, x right, y down), turned by the heading.
        quaternion = _times((c, 0.0, 0.0, s), (0.5, -0.5, 0.5, -0.5))
        return {
            "timeUs": self.time_us,
            "intrinsics": {
                "fx": self.focal, "fy": self.focal, "cx": width / 2, "cy": self.horizon, "width": width, "height": height,
            },
            "worldFromCamera": {
                "p": {"x": self.x, "y": self.y, "z": self.floor_z + self.eye_m},
                "q": dict(zip("wxyz", quaternion)),
            },
            "rgb": base64.b64encode(png(width, height, colours)).decode(),
            "depth": base64.b64encode(png(width, height, ranges, **grey)).decode(),
            "depthUnitM": 0.001,
            "masks": base64.b64encode(png(width, height, masks, **grey)).decode(),
            "detections": [
                {
                    "mask": number,
                    "bbox": counts[thing][1:],
                    "score": 0.95,
                    "label": self.things[thing]["category"],
                    "text": self.things[thing]["text"],
                }
                for thing, number in numbers.items()
            ],
        }  # fmt: skip


def _times(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, float, float, float]:
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="serves a body in a world of boxes (docs/body.md)")
    parser.add_argument("--world", required=True, help="JSON: boxes, things and a start")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8790)
    parser.add_argument("--size", type=int, default=160, help="width of its pictures in pixels")
    parser.add_argument("--connections", type=int, help="ends after so many explorers")
    options = parser.parse_args()
    with open(options.world, encoding="utf-8") as file:
        world = BoxWorld(json.load(file), options.size)
    serve(world, options.port, options.host, options.connections)


if __name__ == "__main__":
    main()
