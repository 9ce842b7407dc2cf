"""The client against a real server in a process of its own. Run: python3 -m unittest test_loci (from this folder)."""

import itertools
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NODE = os.environ.get("LOCI_NODE", os.path.join(ROOT, "node_modules", ".bin", "node"))
COMMAND = [NODE, os.path.join(ROOT, "bin", "loci.mjs")]
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from loci import Loci, LociError, png  # noqa: E402

T0 = 1_767_225_600_000_000
WIDTH, HEIGHT, FOCAL = 64, 48, 24.0
ROOM = (5.0, 4.0, 2.5)
START = (1.5, 1.0, 0.0)
STANDS = ((1.5, 2.0, 1.2), (3.5, 2.0, 1.2))


class Server:
    """`loci serve` on a port that it keeps when it comes back."""

    def __init__(self, *command):
        self.folder = tempfile.mkdtemp(prefix="loci-python-")
        self.port, self.process = 0, None
        if command:
            subprocess.run([*COMMAND, *command, "--memory", self.folder], check=True, capture_output=True)

    def start(self):
        args = ["serve", "--memory", self.folder, "--port", str(self.port), "--json", "--log", "error"]
        self.process = subprocess.Popen([*COMMAND, *args], stdout=subprocess.PIPE)
        self.url = json.loads(self.process.stdout.readline())["url"]
        self.port = int(self.url.rpartition(":")[2])
        return self

    def end(self, how=signal.SIGKILL):
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(60)
            self.process.stdout.close()
            self.process = None

    def restart(self, how=signal.SIGKILL):
        self.end(how)
        self.start()

    def remove(self):
        self.end()
        shutil.rmtree(self.folder)


def look(turn, stand):
    """What a depth camera in an empty room sees: millimetres, and how it is turned."""
    yaw = turn * math.pi / 4
    forward, right, down = (math.cos(yaw), math.sin(yaw), 0.0), (math.sin(yaw), -math.cos(yaw), 0.0), (0.0, 0.0, -1.0)
    depth = bytearray()
    for v, u in itertools.product(range(HEIGHT), range(WIDTH)):
        a, b = (u + 0.5 - WIDTH / 2) / FOCAL, (v + 0.5 - HEIGHT / 2) / FOCAL
        ray = [forward[i] + a * right[i] + b * down[i] for i in range(3)]
        walls = (((ROOM[i] if ray[i] > 0 else 0) - stand[i]) / ray[i] for i in range(3) if abs(ray[i]) > 1e-9)
        depth += int(min(walls) * 1000).to_bytes(2, "little")
    # An optical camera that looks along x, turned about the vertical.
    c, s = math.cos((yaw - math.pi / 2) / 2) * math.sqrt(0.5), math.sin((yaw - math.pi / 2) / 2) * math.sqrt(0.5)
    return bytes(depth), (-c, -s, s, c)


def walk(memory, turns):
    """Sends frames of a camera that turns once in either half of the room; a mug is on the wall it begins with."""
    picture = png(WIDTH, HEIGHT, bytes((120, 100, 90)) * (WIDTH * HEIGHT))
    for turn in turns:
        stand = STANDS[turn // 8]
        depth, quaternion = look(turn, stand)
        # 0.5 m below the camera, on the wall before it.
        v = HEIGHT / 2 + FOCAL * 0.5 / (ROOM[0] - stand[0])
        mug = [{"bbox": [28, v - 4, 36, v + 4], "score": 0.9, "label": "mug"}] if turn % 8 == 0 else []
        yield memory.frame(
            picture,
            time=T0 + turn * 500_000,
            pose=(stand, quaternion),
            intrinsics=(FOCAL, FOCAL, WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT),
            agent="rob1",
            depth=png(WIDTH, HEIGHT, depth, bits=16, channels=1),
            detections=mug,
        )


def first(events, count):
    return list(itertools.islice(events, count))


class WithServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server().start()
        cls.addClassCleanup(cls.server.remove)

    def setUp(self):
        self.memory = Loci(self.server.url, retry_for=20)
        self.addCleanup(self.memory.close)

    def raises(self, code, work, *args, **more):
        with self.assertRaises(LociError) as caught:
            work(*args, **more)
        self.assertEqual(caught.exception.code, code, caught.exception.message)
        return caught.exception


class Calls(WithServer):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with Loci(cls.server.url) as memory:
            cls.outcomes = list(walk(memory, range(16)))
        # A finished round has a map.
        cls.server.restart(signal.SIGTERM)

    def test_frames_become_a_thing_with_a_life_a_picture_and_a_place(self):
        self.assertEqual([(one["detections"], one.get("reason")) for one in self.outcomes[:2]], [(1, None), (0, None)])
        (mug,) = self.memory.things(kind="mug")
        self.assertEqual(mug["at"], "5.0 2.0 0.7")
        life = self.memory.life("the mug", pictures=1)
        self.assertEqual((life["id"], life["isThere"], life["seen"], len(life["pictures"])), (mug["id"], True, 2, 1))
        self.assertEqual(self.memory.picture(life["pictures"][0]["viewId"])[:2], b"\xff\xd8")
        record = self.memory.record(mug["id"])
        self.assertEqual((record["kind"], record["category"]), ("track", "mug"))
        self.assertEqual(self.memory.history(mug["id"])[-1], record)

    def test_a_goal_is_in_the_room_and_faces_the_thing(self):
        goal = self.memory.goal("the mug", start=START)["goal"]
        x, y = goal["position"]["x"], goal["position"]["y"]
        self.assertTrue(0 < x < ROOM[0] and 0 < y < ROOM[1], goal)
        bearing = math.atan2(2.0 - y, 5.0 - x)
        self.assertLess(abs(math.remainder(goal["yawRad"] - bearing, 2 * math.pi)), 0.5)
        route = self.memory.route("the mug", start=START)
        self.assertEqual(route["to"]["name"], "mug")
        self.assertGreater(route["lengthM"], 0)

    def test_questions_alone_and_in_a_conversation(self):
        answer = self.memory.ask("Where is the mug?")
        self.assertEqual((answer["status"], answer["text"]), ("answered", "in the room"))
        with self.memory.conversation() as talk:
            self.assertEqual(talk.ask("Where is the mug?")["status"], "answered")
            self.assertEqual(talk.ask("When was it last seen?")["status"], "answered")
        self.raises("unknown-id", talk.ask, "And now?")

    def test_facts_are_found_by_meaning_place_and_time(self):
        at = (7.0, 8.0, 0.0)
        fact = self.memory.remember("The ladder is in the garage.", at=at, time="2026-01-02T08:00:00Z", key="ladder")
        self.assertEqual(self.memory.remember("The ladder is in the garage.", at=at, key="ladder")["id"], fact["id"])
        day = ("2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z")
        (hit,) = self.memory.search("a ladder", near=at, within=1, start=day[0], end=day[1], kinds=["caption"])
        self.assertEqual((hit["record"]["id"], hit["position"]), (fact["id"], {"x": 7, "y": 8, "z": 0}))
        self.assertEqual(self.memory.search("a ladder", near=(0, 0, 0), within=1, kinds=["caption"]), [])

    def test_captions_detections_and_records_are_kept_once(self):
        captions = [{"text": "A cat sleeps on the sofa.", "time": T0, "agent": "rob1", "position": (1, 1, 0)}]
        looks = [{"time": T0 + 1, "agent": "rob2", "detections": [{"category": "cat", "position": (1, 1, 0)}]}]
        cat = {"kind": "track", "id": "cat", "name": "cat", "category": "cat"}
        records = [{**cat, "validFromUs": T0, "validToUs": None}]
        for write in (
            lambda: self.memory.captions(captions),
            lambda: self.memory.detections(looks),
            lambda: self.memory.write(records),
        ):
            self.assertGreater(write()["written"], 0)
            self.assertEqual(write()["written"], 0)

    def test_tracked_detections_become_things(self):
        pose = ((0, 0, 1), (-0.5, 0.5, -0.5, 0.5))
        seen = [{"category": "lamp", "position": (3, 0, 1), "extent": (0.2, 0.2, 0.4)}]
        looks = [{"time": T0 + n * 500_000, "agent": "rob3", "pose": pose, "detections": seen} for n in range(4)]
        self.memory.detections(looks, track=True, scene="tracked")
        self.assertEqual([thing["kind"] for thing in self.memory.things(scene="tracked")], ["lamp"])

    def test_people_say_and_take_back(self):
        (mug,) = self.memory.things(kind="mug")
        self.assertEqual(self.memory.correct(mug["id"], "vase")["says"], "vase")
        self.assertEqual([thing["id"] for thing in self.memory.things(kind="vase")], [mug["id"]])
        self.memory.undo()
        self.assertEqual(self.memory.things(kind="vase"), [])
        dock = self.memory.name("charging dock", at=(1, 1, 0))
        self.assertEqual(self.memory.route("charging dock", start=START)["to"]["name"], "charging dock")
        self.memory.undo(dock["id"])
        self.assertEqual([said["says"] for said in self.memory.corrections() if "undone" not in said], [])
        self.raises("unknown-id", self.memory.undo)

    def test_accounts_of_time(self):
        # Records that arrive long after the world was filled must not exist before.
        before, after = T0 - 1_000_000, T0 + 8_000_000
        diff = self.memory.diff(before, after, scene="default")
        self.assertIn("mug", [thing["name"] for thing in [*diff["appeared"], *diff["found"]]])
        timeline = self.memory.timeline(T0, after, buckets=2, scene="default")
        self.assertEqual(len(timeline["buckets"]), 2)
        self.assertGreaterEqual(sum(bucket["looks"] for bucket in timeline["buckets"]), 16)
        for rows in (self.memory.rooms(), self.memory.people(), self.memory.what_changed(T0)):
            self.assertIsInstance(rows, list)

    def test_what_is_forgotten_is_gone(self):
        fact = self.memory.remember("The safe's number is 4711.")
        report = self.memory.forget([fact["id"]], "not to be kept")
        self.assertEqual([one["id"] for one in report["forgotten"]], [fact["id"]])
        self.raises("unknown-id", self.memory.record, fact["id"])

    def test_errors_have_codes(self):
        self.assertTrue(self.memory.health())
        self.assertGreater(self.memory.stats()["records"]["observation"], 15)
        self.raises("unknown-id", self.memory.record, "nobody")
        self.raises("invalid-input", self.memory.search, "mug", limit=0)
        self.raises("invalid-input", self.memory.remember, "")
        self.raises("invalid-input", Loci, "ftp://somewhere")
        nobody = Loci("http://127.0.0.1:9", retry_for=0.2)
        self.addCleanup(nobody.close)
        self.assertFalse(nobody.health())
        self.raises("source-unavailable", nobody.stats)

    def test_the_command_line(self):
        def cli(*args):
            command = [sys.executable, os.path.join(HERE, "loci.py"), "--url", self.server.url, *args]
            return subprocess.run(command, capture_output=True, text=True)

        self.assertEqual(cli("ask", "Where is the mug?").stdout, "in the room\n")
        self.assertEqual(json.loads(cli("things").stdout.splitlines()[0])["kind"], "mug")
        wrong = cli("record", "nobody")
        self.assertEqual((wrong.returncode, wrong.stderr.startswith("loci.py: unknown-id: ")), (1, True))


class Streams(WithServer):
    def test_changes_go_on_after_a_crash_of_the_server_without_gap_or_double(self):
        changes = self.memory.changes(kinds=["caption"])
        ids = [self.memory.remember(f"Change {n}.", key=f"change-{n}")["id"] for n in range(3)]
        heard = first(changes, 2)
        self.server.restart()
        ids += [self.memory.remember(f"Change {n}.", key=f"change-{n}")["id"] for n in range(3, 6)]
        heard += first(changes, 4)
        self.assertEqual([put["id"] for commit in heard for put in commit["put"]], ids)
        # A client that reconnects resumes where it was.
        again = first(self.memory.changes(after=heard[3]["commitUs"], kinds=["caption"], records=True), 2)
        texts = [put["record"]["text"] for commit in again for put in commit["put"]]
        self.assertEqual(texts, [["Change 4."], ["Change 5."]])
        changes.close()

    def test_a_watch_tells_and_goes_on_after_a_crash(self):
        def state(n, end=None):
            span = {"validFromUs": T0 + n, "validToUs": end, "name": "parcel", "category": "parcel"}
            return [
                {**span, "kind": "track", "id": f"parcel-{n}"},
                {**span, "kind": "state", "id": f"parcel-{n}-1", "trackId": f"parcel-{n}", "anchor": _anchor(n)},
            ]

        watch = self.memory.watch(expression='things(category: "parcel")', on="enter")
        self.assertEqual([one["id"] for one in self.memory.watches()], [watch.id])
        self.memory.write(state(1))
        (one,) = first(watch, 1)
        self.server.restart()
        self.memory.write(state(2))
        (two,) = first(watch, 1)
        self.assertEqual([one["number"], two["number"]], [1, 2])
        again = first(self.memory.watch_events(watch.id), 2)
        self.assertEqual([event["id"] for event in again], [one["id"], two["id"]])
        watch.end()
        self.raises("unknown-id", first, self.memory.watch_events(watch.id), 1)


def _anchor(x):
    return {"submap": "world", "p": {"x": float(x), "y": 0.0, "z": 0.0}}


class Outbox(WithServer):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp(prefix="loci-outbox-")
        self.addCleanup(shutil.rmtree, self.folder)

    def box(self, **more):
        memory = Loci(self.server.url, outbox=self.folder, **more)
        self.addCleanup(memory.close)
        return memory

    def texts(self, topic):
        hits = self.memory.search(kinds=["caption"], limit=1000, category=[topic])
        return sorted(hit["record"]["text"][0] for hit in hits)

    def expected(self, count):
        return sorted(f"Fact {n}." for n in range(count))

    def test_nothing_is_lost_or_doubled_while_the_server_is_killed_again_and_again(self):
        box = self.box()
        stop = threading.Event()

        def kills():
            for _ in range(2):
                stop.wait(0.3)
                self.server.restart()

        killer = threading.Thread(target=kills)
        killer.start()
        for n in range(150):
            self.assertEqual(box.remember(f"Fact {n}.", topic="killed", key=f"killed-{n}"), {"key": f"killed-{n}"})
            time.sleep(0.005)
        killer.join()
        box.flush(60)
        self.assertEqual((box.waiting, self.texts("killed")), (0, self.expected(150)))
        for n in (0, 149):
            (hit,) = self.memory.search(f"Fact {n}.", by="words", category=["killed"], limit=1)
            self.assertEqual(len(self.memory.history(hit["record"]["id"])), 1)

    def test_what_a_crashed_robot_had_written_is_sent_by_the_next_start_in_order(self):
        self.server.end()
        program = (
            "import os, signal, sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); import loci\n"
            "box = loci.Loci(sys.argv[2], outbox=sys.argv[3])\n"
            "for n in range(20): box.remember(f'Fact {n}.', topic='crashed', author='rob1')\n"
            "os.kill(os.getpid(), signal.SIGKILL)"
        )
        crash = subprocess.run([sys.executable, "-c", program, HERE, self.server.url, self.folder])
        self.assertEqual(crash.returncode, -signal.SIGKILL)
        # Last writes were torn, by a loss of power and by a crash: they were never acknowledged.
        (journal,) = [name for name in os.listdir(self.folder) if name.startswith("journal-")]
        with open(os.path.join(self.folder, journal), "ab") as file:
            file.write(b'["/v1/facts", "application/json", "zeros", 8, 1]\n' + bytes(8) + b"\n")
        with open(os.path.join(self.folder, "journal-0000000002"), "xb") as file:
            file.write(b'["/v1/facts", "application/json", "torn", 400, 1]\n{"text":')
        box = self.box()
        self.assertEqual(box.waiting, 20)
        box.remember("Fact 20.", topic="crashed")
        self.raises("source-unavailable", box.flush, 0.5)
        self.server.start()
        box.flush(60)
        self.assertEqual(self.texts("crashed"), self.expected(21))
        order = self.memory.search(kinds=["caption"], category=["crashed"], rank="earliest", limit=100)
        written = sorted(order, key=lambda hit: hit["record"]["recordedAtUs"])
        self.assertEqual([hit["record"]["text"][0] for hit in written], [f"Fact {n}." for n in range(21)])

    def test_what_was_acknowledged_but_not_noted_is_sent_again_and_known(self):
        box = self.box()
        for n in range(5):
            box.remember(f"Fact {n}.", topic="again")
        list(walk(box, [0]))
        box.flush(60)
        before = self.memory.stats()["versions"]
        # As after a loss of power: the send position is lost, the journal is not.
        lost = self.folder + "-lost"
        shutil.copytree(self.folder, lost, ignore=shutil.ignore_patterns("sent"))
        self.addCleanup(shutil.rmtree, lost)
        box.close()
        shutil.rmtree(self.folder)
        shutil.copytree(lost, self.folder)
        # Nothing can be sent before it is counted.
        self.server.end()
        with self.box() as again:
            self.assertEqual(again.waiting, 6)
            self.server.start()
            again.flush(60)
        self.assertEqual((self.texts("again"), self.memory.stats()["versions"]), (self.expected(5), before))

    def test_it_is_bounded_and_frees_what_was_sent(self):
        self.server.end()
        box = self.box(outbox_bytes=20_000)
        with self.assertRaises(LociError) as caught:
            for n in range(1000):
                box.remember(f"Fact {n}.", topic="bounded")
        self.assertEqual(caught.exception.code, "outbox-full")
        self.assertGreater(n, 50)
        size = sum(os.path.getsize(os.path.join(self.folder, name)) for name in os.listdir(self.folder))
        self.assertLess(size, 20_100)
        self.server.start()
        box.flush(60)
        self.assertEqual(self.texts("bounded"), self.expected(n))
        for more in range(n, n + 200):
            box.remember(f"Fact {more}.", topic="bounded")
            box.flush(60)
        self.assertEqual(self.texts("bounded"), self.expected(n + 200))

    def test_what_is_refused_is_set_aside_and_holds_nothing_up(self):
        box = self.box()
        box.remember("", key="empty")
        box.remember("Fact 0.", topic="refused")
        self.raises("invalid-input", box.flush, 60)
        box.flush(60)
        self.assertEqual(self.texts("refused"), self.expected(1))
        with open(os.path.join(self.folder, "refused.jsonl")) as file:
            (line,) = file.read().splitlines()
        self.assertEqual([json.loads(line)[name] for name in ("key", "code")], ["empty", "invalid-input"])

    def test_two_processes_do_not_share_one(self):
        self.box()
        self.raises("outbox-busy", Loci, self.server.url, outbox=self.folder)


class Access(unittest.TestCase):
    def test_tokens(self):
        server = Server("token", "add", "reader", "--scopes", "read", "--json")
        self.addCleanup(server.remove)
        args = ["token", "add", "writer", "--scopes", "write", "--json", "--memory", server.folder]
        said = json.loads(subprocess.run([*COMMAND, *args], check=True, capture_output=True).stdout)
        server.start()
        with Loci(server.url, said["token"]) as writer:
            self.assertEqual(writer.remember("A fact.")["text"], ["A fact."])
        for token in (None, "loci_wrong", said["token"]):
            with self.assertRaises(LociError) as caught, Loci(server.url, token) as stranger:
                stranger.stats()
            self.assertEqual(caught.exception.code, "access-denied")
            self.assertNotIn(str(token), caught.exception.message)
        # A robot with a wrong token keeps its writes until it gets a valid one.
        folder = tempfile.mkdtemp(prefix="loci-outbox-")
        self.addCleanup(shutil.rmtree, folder)
        with Loci(server.url, "loci_wrong", outbox=folder) as box:
            box.remember("A fact of a stranger.")
            with self.assertRaises(LociError) as caught:
                box.flush(1)
            self.assertEqual((caught.exception.code, box.waiting), ("access-denied", 1))
        with Loci(server.url, said["token"], outbox=folder) as box:
            box.flush(30)
            self.assertEqual(box.waiting, 0)


if __name__ == "__main__":
    unittest.main()
