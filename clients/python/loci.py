#!/usr/bin/env python3
"""Loci for robots that speak Python: a 4D memory behind its HTTP server, in one file without dependencies.

    from loci import Loci

    with Loci("http://127.0.0.1:7077", outbox="/var/lib/rob1/outbox") as memory:
        memory.remember("The red mug stands on the kitchen table.", at=(2.1, 1.4, 0.8))
        memory.flush()
        print(memory.ask("Where is the red mug?")["text"])

Times are microseconds since the epoch, ISO 8601 or `datetime`; lengths metres; angles radians; quaternions (x, y, z, w)
as ROS has them. Python 3.9 or newer, standard library only. Copy it beside your code.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import ssl
import struct
import sys
import threading
import time as clock
import urllib.parse
import uuid
import zlib
from datetime import datetime
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

try:
    import fcntl
except ImportError:  # Windows: the caller must then ensure one process per outbox.
    fcntl = None  # type: ignore[assignment]

__all__ = ["Loci", "LociError", "Conversation", "Watch", "png"]

Json = Dict[str, Any]
Moment = Union[int, str, datetime]
Vec3 = Union[Sequence[float], Mapping[str, float]]
Pose = Tuple[Vec3, Union[Sequence[float], Mapping[str, float]]]
Place = Union[str, Vec3]

MOST_ANSWER_BYTES = 64 << 20
MOST_EVENT_BYTES = 8 << 20
# The server sends a heartbeat every 15 s: after three missed ones the connection counts as lost.
STREAM_SILENCE_S = 45.0
FIRST_PAUSE_S, MOST_PAUSE_S = 0.1, 10.0
# Errors that may pass without intervention, for any request …
TEMPORARY = {"source-unavailable", "overloaded", "memory-busy", "memory-closed", "aborted"}
# … and errors that an operator can fix, so a robot's data is kept until then.
MENDABLE = TEMPORARY | {"access-denied", "memory-full", "memory-read-only"}
# A server bug may be temporary, or affect this one write only: after these tries the others go on.
MOST_TRIES_OF_BUGS = 5
CLOSE_S = 5.0


class LociError(Exception):
    """An error with a code that is stable between releases; branch on `code`, read `message`.

    Codes are the server's, and three of this client: "source-unavailable" (no server, or something else answers there),
    "outbox-full" and "outbox-busy". `is_done` is False where the request was certainly not carried out.
    """

    def __init__(self, code: str, message: str, status: int = 0, retry_s: float = 0.0, is_done: Optional[bool] = False):
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.status = code, message, status
        self.retry_s, self.is_done = retry_s, is_done

    @property
    def is_temporary(self) -> bool:
        return self.code in TEMPORARY


# --- Talking HTTP -----------------------------------------------------------------------------------------------------


class _Request(NamedTuple):
    method: str
    path: str
    body: Optional[bytes] = None
    type: str = "application/json"
    key: Optional[str] = None


class _Event(NamedTuple):
    name: str
    data: Any


class _Http:
    """One server: a connection for each thread, problems as LociError. No redirects: a token stays here."""

    def __init__(self, url: str, token: Optional[str], timeout: float, retry_for: float):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise LociError("invalid-input", f"expected an address such as http://127.0.0.1:7077, got {url!r}")
        self._parts, self._base = parts, parts.path.rstrip("/")
        self._auth = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._timeout, self._retry_for = timeout, retry_for
        self._kept = threading.local()

    def json(self, method: str, path: str, body: Any = None, *, is_repeatable: bool = True) -> Any:
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        _, answer = self.retried(_Request(method, path, data), is_repeatable)
        return _parsed(answer) if answer else None

    def retried(self, request: _Request, is_repeatable: bool) -> Tuple[str, bytes]:
        """Retries temporary errors while time is left; a request that must not run twice only if it did not run."""
        until = clock.monotonic() + self._retry_for
        for pause in _pauses():
            try:
                return self.once(request, fresh=not is_repeatable)
            except LociError as error:
                pause = max(pause, error.retry_s)
                is_safe = is_repeatable or error.is_done is False
                if not (error.is_temporary and is_safe) or clock.monotonic() + pause > until:
                    raise
            clock.sleep(pause)
        raise AssertionError("pauses do not end")

    def once(self, request: _Request, fresh: bool = False) -> Tuple[str, bytes]:
        """One try: the type and the bytes of the answer; `fresh` avoids a stale connection, which hides if it ran."""
        if fresh:
            self.hang_up()
        connection = getattr(self._kept, "connection", None)
        is_reused = connection is not None
        try:
            return self._exchange(connection or self._dial(), request)
        except LociError as error:
            # The server had closed the idle connection: on a new one it is a first try.
            if is_reused and error.code == "source-unavailable":
                return self._exchange(self._dial(), request)
            raise

    def _exchange(self, connection: http.client.HTTPConnection, request: _Request) -> Tuple[str, bytes]:
        try:
            response = self._begin(connection, request, {})
            answer = response.read(MOST_ANSWER_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            self.hang_up()
            raise LociError("source-unavailable", f"{self._where()} broke off: {error!r}", is_done=None) from error
        if len(answer) > MOST_ANSWER_BYTES:
            self.hang_up()
            raise LociError("limit-exceeded", f"an answer has at most {MOST_ANSWER_BYTES} bytes", is_done=True)
        if response.status >= 300:
            raise _problem(response.status, answer, response.getheader("retry-after"))
        return response.getheader("content-type") or "", answer

    def events(self, path: str, last: Optional[str], patience: float) -> Iterator[_Event]:
        """A stream of events; a broken one resumes after the last event, for up to `patience` seconds of silence."""
        heard = clock.monotonic()
        pauses = _pauses()
        while True:
            connection = None
            try:
                connection = self._dial(STREAM_SILENCE_S, keep=False)
                headers = {"Accept": "text/event-stream", **({} if last is None else {"Last-Event-ID": last})}
                response = self._begin(connection, _Request("GET", path), headers)
                if response.status != 200:
                    answer = response.read(MOST_EVENT_BYTES)
                    raise _problem(response.status, answer, response.getheader("retry-after"))
                for id, name, data in _sse(response):
                    heard, pauses = clock.monotonic(), _pauses()
                    if name == "problem":
                        raise _problem(int(json.loads(data).get("status", 500)), data.encode(), None)
                    yield _Event(name, _parsed(data.encode()))
                    # An event counts as delivered once the caller asks for the next.
                    last = id or last
            except (OSError, http.client.HTTPException) as error:
                if clock.monotonic() - heard > patience:
                    raise LociError("source-unavailable", f"{self._where()} is silent: {error!r}") from error
            except LociError as error:
                if not error.is_temporary or clock.monotonic() - heard > patience:
                    raise
            finally:
                if connection is not None:
                    connection.close()
            clock.sleep(next(pauses))

    def hang_up(self) -> None:
        connection = getattr(self._kept, "connection", None)
        self._kept.connection = None
        if connection is not None:
            connection.close()

    def _dial(self, timeout: Optional[float] = None, keep: bool = True) -> http.client.HTTPConnection:
        parts, seconds = self._parts, self._timeout if timeout is None else timeout
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            context = ssl.create_default_context()
            connection = http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=seconds, context=context)
        else:
            connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=seconds)
        try:
            connection.connect()
        except OSError as error:
            connection.close()
            raise LociError("source-unavailable", f"{self._where()} does not answer: {error}") from error
        if keep:
            self._kept.connection = connection
        return connection

    def _begin(
        self, connection: http.client.HTTPConnection, request: _Request, extra: Json
    ) -> http.client.HTTPResponse:
        headers = {"Accept": "application/json", **self._auth, **extra}
        if request.body is not None:
            headers["Content-Type"] = request.type
        connection.request(request.method, self._base + request.path, request.body, headers)
        return connection.getresponse()

    def _where(self) -> str:
        return f"{self._parts.scheme}://{self._parts.netloc.rpartition('@')[2]}"


def _pauses() -> Iterator[float]:
    """Exponential back-off with jitter, so that a fleet does not retry at the same moment."""
    pause = FIRST_PAUSE_S
    while True:
        yield pause * random.uniform(0.5, 1.0)
        pause = min(pause * 2, MOST_PAUSE_S)


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise LociError("source-unavailable", "expected JSON: something else answers there", is_done=None) from error


def _problem(status: int, body: bytes, retry_after: Optional[str]) -> LociError:
    """RFC 9457; any other body comes from a proxy or another server, and may be temporary."""
    try:
        said = json.loads(body)
        code, detail = str(said["code"]), str(said["detail"])
    except (ValueError, KeyError, TypeError):
        return LociError("source-unavailable", f"status {status} without a reason: not Loci?", status)
    retry = float(retry_after) if retry_after is not None and retry_after.isdigit() else 0.0
    # After a fault in the middle of the work it is unknown how far it got.
    return LociError(code, detail, status, min(retry, 60.0), None if status == 500 or code == "aborted" else False)


def _sse(response: http.client.HTTPResponse) -> Iterator[Tuple[Optional[str], str, str]]:
    """Events of a stream: id, name, data. An incomplete one is dropped."""
    id: Optional[str] = None
    name, data, size = "message", [], 0
    while True:
        raw = response.readline(MOST_EVENT_BYTES)
        size += len(raw)
        if not raw.endswith(b"\n"):
            if len(raw) >= MOST_EVENT_BYTES:
                raise LociError("limit-exceeded", f"an event has at most {MOST_EVENT_BYTES} bytes")
            return
        field, _, value = raw.decode("utf-8", "replace").rstrip("\r\n").partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "" and value == "" and raw.strip() == b"":
            if data:
                yield id, name, "\n".join(data)
            name, data, size = "message", [], 0
        elif field == "id":
            id = value
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)
        if size > MOST_EVENT_BYTES:
            raise LociError("limit-exceeded", f"an event has at most {MOST_EVENT_BYTES} bytes")


# --- The outbox -------------------------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """A write in the journal, and where the next one begins."""

    request: _Request
    segment: int
    end: int


class _Journal:
    """Waiting writes on disk: files of entries, appended and synced, and the position up to which they were sent.

    An entry is a line of JSON and then its body. Every opening begins a new file and so does every failed write, so
    a torn entry is always at the end of a file and was never acknowledged. The position is not synced: after a loss of
    power some writes are sent again, and the server knows them by their keys.
    """

    def __init__(self, folder: str, most_bytes: int):
        self._folder, self._most_bytes = folder, most_bytes
        self._segment_bytes = max(most_bytes // 16, 1)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self._lock_file = open(os.path.join(folder, "lock"), "a+b")
        self._take_place()
        self._file: Any = None
        self._sizes: Dict[int, int] = {n: os.path.getsize(self._path(n)) for n in self._segments()}
        self._segment, self._offset = self._read_place()
        self._drop_sent()
        self._newest = max([self._segment, *self._sizes])
        self.waiting = self._count()

    def _take_place(self) -> None:
        try:
            if fcntl is not None:
                fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock_file.close()
            raise LociError("outbox-busy", f"another process uses the outbox {self._folder}") from error

    def put(self, request: _Request) -> None:
        """Appends a write; it is on the disk when this returns."""
        body = request.body or b""
        head = [request.path, request.type, request.key]
        check = zlib.crc32(body, zlib.crc32(json.dumps(head).encode()))
        data = json.dumps([*head, len(body), check]).encode() + b"\n" + body + b"\n"
        held = sum(self._sizes.values())
        if held + len(data) > self._most_bytes:
            raise LociError("outbox-full", f"{self.waiting} writes ({held} of {self._most_bytes} bytes) wait already")
        try:
            if self._file is None or self._sizes[self._newest] > self._segment_bytes:
                self._begin_segment()
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._give_up_segment()
            raise LociError("outbox-full", f"the outbox cannot be written: {error}") from error
        self._sizes[self._newest] += len(data)
        self.waiting += 1

    def first(self) -> Optional[_Entry]:
        """The oldest waiting write."""
        for segment in sorted(self._sizes):
            if segment < self._segment:
                continue
            offset = self._offset if segment == self._segment else 0
            with open(self._path(segment), "rb") as file:
                entry = _read_entry(file, segment, offset, self._sizes[segment])
            if entry is not None:
                return entry
        self.waiting = 0
        return None

    def done(self, entry: _Entry) -> None:
        """Removes a write that was sent or refused for good."""
        self._segment, self._offset = entry.segment, entry.end
        self.waiting -= 1
        if entry.segment == self._newest and entry.end >= self._sizes[self._newest] > self._segment_bytes:
            self._end_segment()
        place = os.path.join(self._folder, "sent")
        try:
            with open(place + ".new", "w") as file:
                json.dump([self._segment, self._offset], file)
            os.replace(place + ".new", place)
            self._drop_sent()
        except OSError:
            pass  # A full disk: sent again after a restart, and the server knows its key.

    def set_aside(self, entry: _Entry, error: LociError) -> None:
        """Keeps a write that the server refused for good, with the reason, for a person to inspect; oldest ones go."""
        body = entry.request.body or b""
        said = {"key": entry.request.key, "path": entry.request.path, "code": error.code, "message": error.message}
        path = os.path.join(self._folder, "refused.jsonl")
        try:
            if os.path.exists(path) and os.path.getsize(path) > self._segment_bytes:
                os.replace(path, os.path.join(self._folder, "refused.old.jsonl"))
            with open(path, "a", encoding="utf-8") as file:
                file.write(json.dumps({**said, "body": body[: 1 << 16].decode("utf-8", "replace")}) + "\n")
        except OSError:
            pass  # A full disk: flush() raises it all the same.

    def close(self) -> None:
        self._end_segment()
        self._lock_file.close()

    def _begin_segment(self) -> None:
        self._end_segment()
        self._newest += 1
        self._file = open(self._path(self._newest), "xb", buffering=0)
        self._sizes[self._newest] = 0
        # A new file's name is on the disk once its folder is synced.
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _give_up_segment(self) -> None:
        """After a failed write: no part of a write that was reported as failed may be sent later."""
        try:
            if self._file is not None:
                self._file.truncate(self._sizes[self._newest])
        except OSError:
            pass
        self._end_segment()

    def _end_segment(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _drop_sent(self) -> None:
        for segment in list(self._sizes):
            is_sent = segment == self._segment and self._offset >= self._sizes[segment] and self._file is None
            if segment < self._segment or is_sent:
                os.unlink(self._path(segment))
                del self._sizes[segment]

    def _read_place(self) -> Tuple[int, int]:
        try:
            with open(os.path.join(self._folder, "sent")) as file:
                segment, offset = json.load(file)
                return int(segment), int(offset)
        except (OSError, ValueError, TypeError):
            return 0, 0

    def _count(self) -> int:
        count = 0
        for segment, size in self._sizes.items():
            offset = self._offset if segment == self._segment else 0
            with open(self._path(segment), "rb") as file:
                entry = _read_entry(file, segment, offset, size)
                while entry is not None:
                    count += 1
                    entry = _read_entry(file, segment, entry.end, size)
        return count

    def _segments(self) -> List[int]:
        names = (name.partition("-") for name in os.listdir(self._folder))
        return sorted(int(number) for kind, _, number in names if kind == "journal" and number.isdigit())

    def _path(self, segment: int) -> str:
        return os.path.join(self._folder, f"journal-{segment:010d}")


def _read_entry(file: Any, segment: int, offset: int, size: int) -> Optional[_Entry]:
    """The entry at an offset; None at the end of the intact entries."""
    file.seek(offset)
    line = file.readline(65_536)
    try:
        path, type_, key, length, check = json.loads(line)
        end = offset + len(line) + length + 1
        if end > size:
            return None
        body = file.read(length)
        if zlib.crc32(body, zlib.crc32(json.dumps([path, type_, key]).encode())) != check or file.read(1) != b"\n":
            return None
    except (ValueError, TypeError):
        return None
    return _Entry(_Request("POST", path, body, type_, key), segment, end)


class _Outbox:
    """Sends the journal in order, one write at a time, from a thread of its own."""

    def __init__(self, journal: _Journal, http_: _Http):
        self._journal, self._http = journal, http_
        self._changed = threading.Condition()
        self._is_closed = False
        self._refused: Optional[LociError] = None
        self._hindrance: Optional[LociError] = None
        self._thread = threading.Thread(target=self._run, name="loci-outbox", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        with self._changed:
            return self._journal.waiting

    def put(self, request: _Request) -> None:
        with self._changed:
            if self._is_closed:
                raise LociError("memory-closed", "this client was closed")
            try:
                self._journal.put(request)
            except LociError as error:
                raise LociError(error.code, f"{error.message}{_because(self._hindrance)}") from error
            self._changed.notify_all()

    def flush(self, timeout: Optional[float]) -> None:
        until = None if timeout is None else clock.monotonic() + timeout
        with self._changed:
            while self._journal.waiting > 0 and not self._is_closed:
                left = None if until is None else until - clock.monotonic()
                if left is not None and left <= 0:
                    break
                self._changed.wait(left)
            refused, self._refused = self._refused, None
            if refused is not None:
                raise refused
            if self._journal.waiting > 0:
                code = self._hindrance.code if self._hindrance else "source-unavailable"
                raise LociError(code, f"{self._journal.waiting} writes wait still{_because(self._hindrance)}")

    def close(self) -> None:
        with self._changed:
            if self._is_closed:
                return
            self._is_closed = True
            self._changed.notify_all()
        # A hanging try is not awaited: the journal is then released when the process ends.
        self._thread.join(CLOSE_S)
        if not self._thread.is_alive():
            self._journal.close()

    def _run(self) -> None:
        try:
            self._send_all()
        finally:
            self._http.hang_up()

    def _send_all(self) -> None:
        pauses, tries = _pauses(), 0
        while True:
            with self._changed:
                entry = self._journal.first() if not self._is_closed else None
                if entry is None:
                    if self._is_closed:
                        return
                    self._changed.notify_all()
                    self._changed.wait()
                    continue
            try:
                # An answer without JSON, such as a network's login page, has stored nothing.
                _parsed(self._http.once(entry.request)[1])
            except LociError as error:
                tries += 1
                if error.code in MENDABLE or (error.status >= 500 and tries < MOST_TRIES_OF_BUGS):
                    self._wait(max(next(pauses), error.retry_s), error)
                else:
                    self._finish(entry, error)
                    pauses, tries = _pauses(), 0
                continue
            self._finish(entry, None)
            pauses, tries = _pauses(), 0

    def _wait(self, seconds: float, why: LociError) -> None:
        until = clock.monotonic() + seconds
        with self._changed:
            self._hindrance = why
            # New writes wake this too, but must not shorten the pause.
            while not self._is_closed and clock.monotonic() < until:
                self._changed.wait(until - clock.monotonic())

    def _finish(self, entry: _Entry, refused: Optional[LociError]) -> None:
        with self._changed:
            if refused is not None:
                self._journal.set_aside(entry, refused)
                self._refused = self._refused or refused
            self._hindrance = None
            self._journal.done(entry)
            self._changed.notify_all()


def _because(error: Optional[LociError]) -> str:
    return "" if error is None else f" ({error})"


# --- The memory -------------------------------------------------------------------------------------------------------


class Loci:
    """A memory behind its server. May be used from several threads.

    url, token    where `loci serve` listens, and a token of it (`loci token add`)
    timeout       seconds for one try
    retry_for     seconds in which a call that may be repeated is tried again
    outbox        a folder: writes are stored there first and sent from there, so that they survive a crash of
                  this program and an absent server; one process to a folder
    outbox_bytes  the most disk space it may use; beyond it a write raises "outbox-full"
    patience      seconds after which a stream from a silent server is given up
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:7077",
        token: Optional[str] = None,
        timeout: float = 60.0,
        *,
        retry_for: float = 10.0,
        outbox: Optional[str] = None,
        outbox_bytes: int = 256 << 20,
        patience: float = 3600.0,
    ):
        self._http = _Http(url, token, timeout, retry_for)
        self._patience = patience
        self._outbox = None
        if outbox is not None:
            self._outbox = _Outbox(_Journal(os.fspath(outbox), outbox_bytes), _Http(url, token, timeout, 0))

    def __enter__(self) -> Loci:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes it. Waiting writes stay in the outbox for the next start; flush() first to send them."""
        if self._outbox is not None:
            self._outbox.close()
        self._http.hang_up()

    # Writing. With an outbox these return {"key": …} once the write is on disk, without one the server's answer once
    # it is on the server's. Repeats change nothing: a fact is identified by its key, the rest by its content.

    def remember(
        self,
        text: str,
        *,
        at: Optional[Vec3] = None,
        time: Optional[Moment] = None,
        until: Optional[Moment] = None,
        frame: Optional[str] = None,
        topic: Optional[str] = None,
        author: Optional[str] = None,
        scene: Optional[str] = None,
        labels: Sequence[str] = (),
        key: Optional[str] = None,
    ) -> Json:
        """A fact in words, with a place and a time if it has them; the default time is now."""
        fact = {"text": text, "at": _vec3(at), "until": _moment(until)}
        # Set here and not by the server: the write may arrive hours later.
        fact["time"] = _moment(_now() if time is None else time)
        fact.update(frame=frame, topic=topic, author=author, scene=scene, labels=list(labels) or None)
        key = key or uuid.uuid4().hex
        return self._write("/v1/facts", {**fact, "key": key}, key)

    def captions(
        self, captions: Sequence[Mapping[str, Any]], *, scene: Optional[str] = None, labels: Sequence[str] = ()
    ) -> Json:
        """Sentences of a captioner: {"text", "time", "until"?, "agent"?, "position"?, "frame"?} each."""
        rows = [_row(caption, moments=("time", "until"), points=("position",)) for caption in captions]
        return self._write("/v1/captions", {"captions": rows, "scene": scene, "labels": list(labels) or None})

    def detections(
        self,
        looks: Sequence[Mapping[str, Any]],
        *,
        track: bool = False,
        scene: Optional[str] = None,
        labels: Sequence[str] = (),
    ) -> Json:
        """3D detections, frame by frame: {"time", "agent"?, "sensor"?, "pose"?, "detections": [{"category",
        "position", "extent"?, "score"?, "text"?, "bbox"?}]}. With `track` they become things for answering questions,
        which needs the pose of each frame."""
        rows = []
        for look in looks:
            row = _row(look, moments=("time",))
            seen = look.get("detections", ())
            row["pose"] = _pose(look.get("pose"))
            row["detections"] = [_row(one, points=("position", "extent")) for one in seen]
            rows.append(_defined(row))
        body = {"looks": rows, "track": track, "scene": scene, "labels": list(labels) or None}
        return self._write("/v1/detections", body)

    def frame(
        self,
        picture: Optional[bytes],
        *,
        time: Moment,
        pose: Optional[Pose],
        intrinsics: Union[Sequence[float], Mapping[str, float]],
        agent: str,
        sensor: str = "camera",
        depth: Optional[bytes] = None,
        depth_unit: float = 0.001,
        masks: Optional[bytes] = None,
        detections: Optional[Sequence[Mapping[str, Any]]] = None,
        captions: Optional[Sequence[str]] = None,
        map_frame: Optional[str] = None,
        scene: Optional[str] = None,
        labels: Sequence[str] = (),
    ) -> Json:
        """A posed frame through the whole pipeline: things, map, views.

        picture     a JPEG or PNG
        depth       a grey PNG of 16 bits (see `png`), `depth_unit` metres a unit
        pose        (position, quaternion) of the camera in the map: optical, x right, y down, z forward
        intrinsics  (fx, fy, cx, cy, width, height), which is the size of all pictures
        detections  {"bbox": [left, top, right, bottom], "score", "label"?, "mask"?, "text"?} in pixels; without them
                    the server's own detector runs, where it has one
        masks       a grey PNG: the number of a detection ("mask") at each of its pixels
        """
        line = {"timeUs": _micros(time), "agentId": agent, "sensorId": sensor, "worldFromCamera": _pose(pose)}
        line.update(intrinsics=_intrinsics(intrinsics), mapFrame=map_frame)
        line.update(depthUnitM=None if depth is None else depth_unit)
        line.update(detections=None if detections is None else [dict(one) for one in detections])
        line.update(captions=None if captions is None else list(captions), scene=scene, labels=list(labels) or None)
        files = {"picture": picture, "depth": depth, "masks": masks}
        type_, body = _form(_defined(line), {name: data for name, data in files.items() if data is not None})
        return self._send(_Request("POST", "/v1/frames", body, type_, uuid.uuid4().hex))

    def write(self, records: Sequence[Json] = (), sightings: Sequence[Json] = (), frames: Sequence[Json] = ()) -> Json:
        """One atomic write of records as they are stored, with their ids; for tokens that hold every label."""
        body = {"records": list(records), "sightings": list(sightings), "frames": list(frames)}
        return self._write("/v1/records", body)

    def flush(self, timeout: Optional[float] = None) -> None:
        """Returns when the outbox is empty. Raises what the server refused since the last call, or, on timeout,
        why the rest is waiting."""
        if self._outbox is not None:
            self._outbox.flush(timeout)

    @property
    def waiting(self) -> int:
        """How many writes wait in the outbox."""
        return 0 if self._outbox is None else self._outbox.waiting

    # Reading.

    def search(
        self,
        text: Optional[str] = None,
        *,
        kinds: Optional[Sequence[str]] = None,
        near: Optional[Vec3] = None,
        within: Optional[float] = None,
        box: Optional[Tuple[Vec3, Vec3]] = None,
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        limit: int = 10,
        **more: Any,
    ) -> List[Json]:
        """Records by meaning, place and time at once, best first: {"record", "score", "scores", "position"?} each.
        `more`: by, ids, scene, author, category, owner, region, rank, asOfWorld, asOfMemory (see /docs)."""
        query = {"text": text, "kinds": kinds, "near": _vec3(near), "within": within, "limit": limit, **_times(more)}
        query.update({"from": _moment(start), "to": _moment(end)})
        if box is not None:
            query["box"] = {"min": _vec3(box[0]), "max": _vec3(box[1])}
        return self._http.json("POST", "/v1/search", _defined(query))["hits"]

    def ask(self, question: str, **settings: Any) -> Json:
        """An answer with its evidence: {"status", "text", "evidence", "goal"? …}.
        `settings`: now, options, agent, scene, pose, system, mode, navigate, asOfWorld, asOfMemory (see /docs)."""
        return self._http.json("POST", "/v1/ask", {"question": question, **_times(settings)})

    def conversation(self, **settings: Any) -> Conversation:
        """Questions that may refer to the ones before: "and the blue one?" """
        begun = self._http.json("POST", "/v1/conversations", _times(settings), is_repeatable=False)
        return Conversation(self._http, begun["id"])

    def things(self, *, room: Optional[str] = None, kind: Optional[str] = None, **more: Any) -> List[Json]:
        """The things in the memory, as rows. `more`: floor, now, scene, asOfWorld, asOfMemory."""
        return self._list("things", room=room, kind=kind, **more)

    def rooms(self, **more: Any) -> List[Json]:
        return self._list("rooms", **more)

    def people(self, **more: Any) -> List[Json]:
        return self._list("people", **more)

    def what_changed(self, since: Optional[Moment] = None, **more: Any) -> List[Json]:
        """What came, went, moved or changed in the world; `changes` is about the memory."""
        return self._list("changes", since=since, **more)

    def route(
        self, to: Place, *, start: Optional[Place] = None, agent: Optional[str] = None, scene: Optional[str] = None
    ) -> Json:
        """The route to a point, a record or the target of a phrase: {"points", "lengthM", "rooms", "doors", "by" …}."""
        return self._way("/v1/route", to, start, agent, scene)

    def goal(
        self,
        to: Place,
        *,
        start: Optional[Place] = None,
        agent: Optional[str] = None,
        scene: Optional[str] = None,
        frame: Optional[str] = None,
        stale_after: Optional[float] = None,
    ) -> Json:
        """Where to stand to see a thing, or in a room: {"to", "goal", "ros"}; "goal" is None without a map. `frame` is
        the robot's own, such as "map"; beyond `stale_after` seconds since it was seen the goal says so."""
        more = {"frame": frame, "staleAfterS": stale_after}
        return self._way("/v1/goal", to, start, agent, scene, **more)

    def record(self, id: str) -> Json:
        return self._http.json("GET", f"/v1/records/{_quoted(id)}")

    def history(self, id: str) -> List[Json]:
        """Every version of a record, oldest first."""
        return self._http.json("GET", f"/v1/records/{_quoted(id)}/history")

    def picture(self, view: str, *, overlay: bool = False) -> bytes:
        """The picture of a view, as a JPEG or PNG."""
        path = f"/v1/views/{_quoted(view)}/picture{'?overlay=true' if overlay else ''}"
        return self._http.retried(_Request("GET", path), True)[1]

    def life(self, thing: str, *, pictures: Optional[int] = None, scene: Optional[str] = None) -> Json:
        """The life of a thing by its id or by words: stays, who saw it, what happened to it, pictures."""
        return self._http.json("GET", f"/v1/life/{_quoted(thing)}{_query(pictures=pictures, scene=scene)}")

    def diff(self, a: Moment, b: Moment, *, scene: Optional[str] = None) -> Json:
        """What differs between two times: appeared, found, gone, moved, changed."""
        return self._http.json("POST", "/v1/diff", _defined({"a": _moment(a), "b": _moment(b), "scene": scene}))

    def timeline(self, start: Optional[Moment] = None, end: Optional[Moment] = None, **more: Any) -> Json:
        """Events counted over a span in equal steps. `more`: buckets, types, limit, scene."""
        return self._http.json("POST", "/v1/timeline", _defined({"from": _moment(start), "to": _moment(end), **more}))

    def stats(self) -> Json:
        return self._http.json("GET", "/v1/stats")

    def health(self) -> bool:
        """Whether the server accepts requests; one try, and no token needed."""
        try:
            return _parsed(self._http.once(_Request("GET", "/health"))[1]).get("status") == "ok"
        except LociError:
            return False

    # People's statements: sent once, never retried implicitly, and not through the outbox.

    def correct(self, target: str, is_a: str, *, author: Optional[str] = None) -> Json:
        """“That is a printer”: the kind of a thing or room."""
        return self._say("/v1/corrections", {"target": target, "is": is_a, "author": author})

    def name(self, name: str, *, target: Optional[str] = None, at: Optional[Vec3] = None, **more: Any) -> Json:
        """“This is the charging dock”: of a thing or room (target) or of a place (at).
        `more`: radiusM, author, labels, sceneId."""
        return self._say("/v1/names", {"name": name, "target": target, "at": _vec3(at), **more})

    def corrections(self, limit: int = 100) -> List[Json]:
        """Corrections and names, the latest first; retracted ones too."""
        return self._http.json("GET", f"/v1/corrections?limit={limit}")

    def undo(self, id: Optional[str] = None) -> Json:
        """Retracts a correction or a name; without an id, the last one."""
        if id is None:
            id = next((said["id"] for said in self.corrections(1_000) if "undone" not in said), None)
            if id is None:
                raise LociError("unknown-id", "there is nothing to undo")
        return self._say(f"/v1/corrections/{_quoted(id)}/undo", None)

    def forget(self, ids: Sequence[str], reason: str, *, pictures: str = "blacken") -> Json:
        """Deletes records with all that was derived from them, for good (needs the scope admin)."""
        return self._say("/v1/forget", {"ids": list(ids), "reason": reason, "pictures": pictures})

    # Streams. These resume where they were when the connection breaks.

    def watch(self, question: Optional[str] = None, *, expression: Optional[str] = None, **more: Any) -> Watch:
        """A standing query: iterate over its events. `more`: on ("enter", "exit", "change"), minConfidence, hysteresis,
        cooldownS, scene, agent, webhook."""
        body = {"question": question, "expression": expression, **more}
        return Watch(self, self._say("/v1/watches", body))

    def watches(self) -> List[Json]:
        return self._http.json("GET", "/v1/watches")

    def unwatch(self, id: str) -> Json:
        return self._http.json("DELETE", f"/v1/watches/{_quoted(id)}", is_repeatable=False)

    def watch_events(self, id: str, after: int = 0) -> Iterator[Json]:
        """The events of an existing watch, after the one of this number."""
        for event in self._http.events(f"/v1/watches/{_quoted(id)}/events", str(after), self._patience):
            yield event.data

    def changes(
        self, after: Optional[int] = None, *, kinds: Sequence[str] = (), records: bool = False
    ) -> Iterator[Json]:
        """Commits of the memory, each once and in order: {"commitUs", "put", "forgotten" …}. Give the `commitUs` of the
        last one you know to resume after it; without one it begins at the time of this call."""
        if after is None:
            # Fixed at once: else a connection that breaks before the first event would leave a gap.
            after = self.stats()["lastCommitUs"] or 0
        path = f"/v1/changes{_query(kinds=','.join(kinds) or None, records='true' if records else None)}"
        return (event.data for event in self._http.events(path, str(after), self._patience))

    # Made from the table of operations by scripts/python-client.ts.

    def sources(self) -> List[Json]:
        """Robots and recordings that are taken in, and how they are doing."""
        return self._http.json("GET", "/v1/sources")

    def start_source(
        self,
        source: str,
        *,
        name: Optional[str] = None,
        scene: Optional[str] = None,
        labels: Optional[Sequence[Any]] = None,
        map: Optional[str] = None,
        odometry: Optional[str] = None,
        detector: Optional[str] = None,
        classes: Optional[Sequence[Any]] = None,
        segmenter: Optional[str] = None,
        view_px: Optional[int] = None,
        mode: Optional[str] = None,
        privacy: Optional[Any] = None,
        read: Optional[Any] = None,
        when_behind: Optional[str] = None,
        profile: Optional[str] = None,
    ) -> Json:
        """Begin to take a robot or a recording in; the same again changes nothing."""
        body = {
            "source": source,
            "name": name,
            "scene": scene,
            "labels": labels,
            "map": map,
            "odometry": odometry,
            "detector": detector,
            "classes": classes,
            "segmenter": segmenter,
            "viewPx": view_px,
            "mode": mode,
            "privacy": privacy,
            "read": read,
            "whenBehind": when_behind,
            "profile": profile,
        }
        return self._http.json("POST", "/v1/sources", _defined(body))

    def stop_source(self, id: str) -> Json:
        """Stop a source, after the frame that it is at."""
        return self._http.json("DELETE", f"/v1/sources/{_quoted(id)}")

    def retain(
        self,
        *,
        max_bytes: Optional[int] = None,
        max_age_days: Optional[float] = None,
        now_us: Optional[int] = None,
    ) -> Json:
        """Give up the least valuable records until the memory is within limits; reading and taking in go on."""
        body = {"maxBytes": max_bytes, "maxAgeDays": max_age_days, "nowUs": now_us}
        return self._http.json("POST", "/v1/retain", _defined(body), is_repeatable=False)

    def said_by_name(self, ids: Sequence[Any]) -> List[Json]:
        """What people said of records by name, which goes with them when they are forgotten; changes nothing."""
        body = {"ids": ids}
        return self._http.json("POST", "/v1/forget/said", _defined(body))["said"]

    def audit(self, *, limit: Optional[int] = None) -> List[Json]:
        """Who forgot or corrected what, newest first."""
        return self._http.json("GET", f"/v1/audit{_query(limit=limit)}")

    def scene(self, *, scene: Optional[str] = None) -> Json:
        """Rooms, span, revision and the chunks of the map."""
        return self._http.json("GET", f"/v1/feed{_query(scene=scene)}")

    def grounds(self, *, scene: Optional[str] = None) -> List[Json]:
        """The storeys of the maps."""
        return self._http.json("GET", f"/v1/feed/ground{_query(scene=scene)}")

    def coverage(self, *, scene: Optional[str] = None, since: Optional[Moment] = None) -> Json:
        """What of the ground was looked at, room by room, and when last."""
        body = {"scene": scene, "since": _moment(since)}
        return self._http.json("POST", "/v1/coverage", _defined(body))

    # End of what is made.

    def _write(self, path: str, body: Json, key: Optional[str] = None) -> Json:
        data = json.dumps(_defined(body), ensure_ascii=False).encode()
        return self._send(_Request("POST", path, data, key=key or uuid.uuid4().hex))

    def _send(self, request: _Request) -> Json:
        if self._outbox is None:
            return _parsed(self._http.retried(request, True)[1])
        self._outbox.put(request)
        return {"key": request.key}

    def _say(self, path: str, body: Optional[Json]) -> Json:
        return self._http.json("POST", path, None if body is None else _defined(body), is_repeatable=False)

    def _list(self, what: str, **more: Any) -> List[Json]:
        return self._http.json("POST", "/v1/list", _defined({"what": what, **_times(more)}))["rows"]

    def _way(
        self, path: str, to: Place, start: Optional[Place], agent: Optional[str], scene: Optional[str], **more: Any
    ) -> Json:
        body = {"to": _place(to), "from": _place(start), "agent": agent, "scene": scene, **more}
        return self._http.json("POST", path, _defined(body))


class Conversation:
    """Questions that may refer to earlier ones."""

    def __init__(self, http_: _Http, id: str):
        self._http, self.id = http_, id

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: Any) -> None:
        self.end()

    def ask(self, question: str) -> Json:
        path = f"/v1/conversations/{self.id}/questions"
        return self._http.json("POST", path, {"question": question}, is_repeatable=False)

    def end(self) -> None:
        self._http.json("DELETE", f"/v1/conversations/{self.id}", is_repeatable=False)


class Watch:
    """A standing query that the server keeps until it is ended: `for event in watch: …`"""

    def __init__(self, memory: Loci, info: Json):
        self._memory, self.info, self.id = memory, info, info["id"]
        self._last = int(info["events"])

    def __iter__(self) -> Iterator[Json]:
        for event in self._memory.watch_events(self.id, self._last):
            self._last = event["number"]
            yield event

    def end(self) -> None:
        self._memory.unwatch(self.id)


# --- Values in the server's format ------------------------------------------------------------------------------------


def png(width: int, height: int, pixels: bytes, *, bits: int = 8, channels: int = 3) -> bytes:
    """A PNG of raw pixels, row by row: colour as 8 bits and 3 channels (rgb8), depth as 16 bits and 1 channel (16UC1,
    little endian)."""
    if (bits, channels) not in ((8, 3), (8, 1), (16, 1)) or len(pixels) != width * height * channels * bits // 8:
        raise LociError("invalid-input", f"{len(pixels)} bytes are not {width}×{height}×{channels} of {bits} bits")
    if bits == 16:
        count = width * height
        pixels = struct.pack(f">{count}H", *struct.unpack(f"<{count}H", pixels))
    row = width * channels * bits // 8
    rows = b"".join(b"\0" + pixels[n : n + row] for n in range(0, len(pixels), row))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, bits, 2 if channels == 3 else 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def _now() -> int:
    return clock.time_ns() // 1_000


def _micros(moment: Moment) -> int:
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment.replace("Z", "+00:00"))
        except ValueError as error:
            raise LociError("invalid-input", f"expected a time such as 2026-03-02T08:05:00Z, got {moment!r}") from error
    return round(moment.timestamp() * 1e6) if isinstance(moment, datetime) else int(moment)


def _moment(moment: Optional[Moment]) -> Union[int, str, None]:
    return _micros(moment) if isinstance(moment, datetime) else moment


def _times(settings: Json) -> Json:
    times = {name: _moment(value) for name, value in settings.items() if isinstance(value, datetime)}
    return _defined({**settings, **times})


def _vec3(point: Optional[Vec3]) -> Optional[Json]:
    if point is None or isinstance(point, Mapping):
        return None if point is None else dict(point)
    x, y, z = point
    return {"x": float(x), "y": float(y), "z": float(z)}


def _place(place: Optional[Place]) -> Union[str, Json, None]:
    return place if isinstance(place, str) else _vec3(place)


def _pose(pose: Any) -> Optional[Json]:
    if pose is None or isinstance(pose, Mapping):
        return None if pose is None else dict(pose)
    position, turn = pose
    if not isinstance(turn, Mapping):
        x, y, z, w = turn
        turn = {"x": float(x), "y": float(y), "z": float(z), "w": float(w)}
    return {"p": _vec3(position), "q": dict(turn)}


def _intrinsics(given: Union[Sequence[float], Mapping[str, float]]) -> Json:
    if isinstance(given, Mapping):
        return dict(given)
    fx, fy, cx, cy, width, height = given
    return {"fx": fx, "fy": fy, "cx": cx, "cy": cy, "width": int(width), "height": int(height)}


def _row(given: Mapping[str, Any], *, moments: Sequence[str] = (), points: Sequence[str] = ()) -> Json:
    row = dict(given)
    row.update({name: _moment(row[name]) for name in moments if name in row})
    row.update({name: _vec3(row[name]) for name in points if name in row})
    return _defined(row)


def _form(line: Json, files: Mapping[str, bytes]) -> Tuple[str, bytes]:
    """multipart/form-data with a frame's metadata and its pictures."""
    boundary = uuid.uuid4().hex
    said = json.dumps(line, ensure_ascii=False).encode()
    body = b""
    for name, data in {"frame": said, **files}.items():
        type_ = "application/json" if name == "frame" else "application/octet-stream"
        head = f'Content-Disposition: form-data; name="{name}"; filename="{name}"\r\nContent-Type: {type_}'
        body += f"--{boundary}\r\n{head}\r\n\r\n".encode() + data + b"\r\n"
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()


def _defined(values: Mapping[str, Any]) -> Json:
    return {name: value for name, value in values.items() if value is not None}


def _quoted(part: str) -> str:
    return urllib.parse.quote(part, safe="")


def _query(**values: Any) -> str:
    given = _defined(values)
    return f"?{urllib.parse.urlencode(given)}" if given else ""


# --- The command line -------------------------------------------------------------------------------------------------


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """python3 loci.py ask "Where is the red mug?" """
    about = "Speak with a Loci server; a token comes from LOCI_TOKEN."
    parser = argparse.ArgumentParser(prog="loci.py", description=about)
    parser.add_argument("--url", default=os.environ.get("LOCI_URL", "http://127.0.0.1:7077"))
    parser.add_argument("--json", action="store_true", help="whole answers")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, words in COMMANDS.items():
        command = commands.add_parser(name)
        for word in words:
            command.add_argument(word.strip("?"), nargs="?" if word.endswith("?") else None)
    given = vars(parser.parse_args(arguments))
    url, whole, command = given.pop("url"), given.pop("json"), given.pop("command")
    try:
        with Loci(url, os.environ.get("LOCI_TOKEN"), retry_for=2.0) as memory:
            found = getattr(memory, command.replace("-", "_"))(**_defined(given))
            # Streams come one by one and end with Ctrl-C; everything else at once.
            for one in found if not isinstance(found, (dict, list, bool)) else [found]:
                print(_shown(one, whole), flush=True)
    except LociError as error:
        print(f"loci.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


COMMANDS: Dict[str, Tuple[str, ...]] = {
    "ask": ("question",),
    "search": ("text",),
    "remember": ("text",),
    "things": (),
    "rooms": (),
    "people": (),
    "what-changed": ("since?",),
    "route": ("to", "start?"),
    "goal": ("to",),
    "record": ("id",),
    "life": ("thing",),
    "correct": ("target", "is_a"),
    "name": ("name", "target"),
    "undo": ("id?",),
    "watch": ("question",),
    "changes": (),
    "stats": (),
    "health": (),
}


def _shown(found: Any, whole: bool) -> str:
    if not whole and isinstance(found, dict) and isinstance(found.get("text"), str):
        return found["text"]
    if not whole and isinstance(found, list):
        return "\n".join(json.dumps(one, ensure_ascii=False) for one in found)
    return json.dumps(found, ensure_ascii=False, indent=2)


if __name__ == "__main__":
    sys.exit(main())
