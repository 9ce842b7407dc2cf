"""What of the package needs no ROS. Run: python3 -m unittest discover -s test (from the package's folder)."""

import ast
import os
import signal
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)
sys.path[:0] = [PACKAGE, os.path.join(PACKAGE, "..", "..", "python")]
sys.dont_write_bytecode = True

from loci_ros.answers import found_of, may_go, target_of, told_of  # noqa: E402
from loci_ros.asking import Asking  # noqa: E402
from loci_ros.loci import Loci, LociError  # noqa: E402
from loci_ros.scene import colour_of, gone, number_of, rooms_in, things_in  # noqa: E402
from loci_ros.settings import defaults, settings_of  # noqa: E402
from test_loci import Server, walk  # noqa: E402



class Parameters(unittest.TestCase):
    def test_the_file_has_every_parameter_with_its_default(self):
        with open(os.path.join(PACKAGE, "config", "loci.yaml")) as file:
            lines = [line.strip().split(": ", 1) for line in file if ": " in line]
        given = {name: ast.literal_eval(value) if name not in ("url", "frame") else value for name, value in lines}
        self.assertEqual(given, defaults())
        self.assertEqual(settings_of(given).most_things, 500)

    def test_what_is_wrong_is_said_in_one_line(self):
        for wrong, says in [
            ({"url": "robot:7077"}, "url: expected an address"),
            ({"period_s": 0.0}, "period_s: expected 0.5 to 3600, got 0.0"),
            ({"most_things": True}, "most_things: expected 1 to 1000"),
            ({"timeout_s": float("nan")}, "timeout_s: expected 1 to 300"),
            ({"frame": ""}, "frame: expected what the robot calls its map"),
            ({"colour": "red"}, "got colour"),
        ]:
            with self.assertRaises(ValueError) as caught:
                settings_of(wrong)
            self.assertIn(says, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))


class Shapes(unittest.TestCase):
    def hit(self, track, status="there", **more):
        believed = {"trackId": track, "stateId": "s", "name": "red mug", "status": status, "lastSeenUs": 1}
        box = {"min": {"x": 0, "y": 0, "z": 0}, "max": {"x": 1, "y": 2, "z": 0.001}}
        position = {"x": 0.5, "y": 1, "z": 0}
        return {"record": {"id": "s"}, "score": 1, "believed": believed, "position": position, "box": box, **more}

    def test_a_thing_is_drawn_once_and_only_where_it_is_believed_to_be(self):
        hits = [self.hit("a"), self.hit("a"), self.hit("b", "gone"), self.hit("c", "unknown"), self.hit("d", position=None)]
        things = things_in(hits)
        self.assertEqual([(thing.id, thing.is_sure) for thing in things], [("a", True), ("c", False)])
        self.assertEqual(things[0].size, (1.0, 2.0, 0.02))

    def test_rooms_are_closed_outlines_of_those_that_are_now(self):
        hull = [{"x": 0, "y": 0, "z": 0}, {"x": 2, "y": 0, "z": 0}, {"x": 2, "y": 4, "z": 0}, {"x": 0, "y": 4, "z": 0}]
        room = {"id": "r", "name": "kitchen", "validToUs": None, "hull": hull}
        hits = [{"record": one} for one in (room, {**room, "validToUs": 5}, {**room, "hull": hull[:2]})]
        (found,) = rooms_in(hits)
        self.assertEqual((found.outline[0], len(found.outline), found.middle), ((0, 0, 0), 5, (1, 2, 0)))

    def test_numbers_and_colours_stay_and_what_is_gone_is_taken_away(self):
        self.assertEqual(number_of("track-1"), number_of("track-1"))
        self.assertTrue(all(0 <= number_of(f"track-{n}") < 2**31 for n in range(200)))
        self.assertTrue(all(0 <= part <= 1 for n in range(200) for part in colour_of(str(n))))
        self.assertEqual(gone(["a", "b"], ["b", "c"]), ["a"])


class Memory(unittest.TestCase):
    """Against a real server with a room and a mug in it."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server().start()
        cls.addClassCleanup(cls.server.remove)
        with Loci(cls.server.url, retry_for=20) as memory:
            for _ in walk(memory, range(16)):
                pass
        # Rooms are drawn when the robot's frames have ended.
        cls.server.restart(signal.SIGTERM)
        cls.asking = Asking(settings_of({"url": cls.server.url, "agent": "rob1"}))
        cls.addClassCleanup(cls.asking.close)

    def test_an_answer_has_a_place_in_the_robots_frame_and_its_evidence(self):
        told = self.asking.ask("Where is the mug?")
        self.assertEqual((told.status, told.frame), ("answered", "map"))
        self.assertAlmostEqual(told.place[0], 5.0, delta=0.3)
        self.assertTrue(told.evidence)

    def test_a_goal_is_a_pose_with_covariance_that_says_how_old_it_is(self):
        target = self.asking.goal("the mug")
        self.assertEqual((target.frame, len(target.covariance)), ("map", 36))
        self.assertAlmostEqual(sum(part * part for part in target.orientation), 1.0, places=6)
        self.assertGreater(target.covariance[0], 0)
        self.assertIsNone(may_go(target, False) if target.reachable else None)
        with self.assertRaises(LociError):
            self.asking.goal("the giraffe")

    def test_what_is_found_and_drawn_is_the_mug_in_its_room(self):
        (first, *_) = self.asking.find("mug", 3)
        self.assertIn("mug", first[1])
        self.assertIn("mug", " ".join(thing.name for thing in self.asking.things()))
        (room,) = self.asking.rooms()
        self.assertAlmostEqual(room.middle[0], 2.5, delta=0.6)


class Values(unittest.TestCase):
    def test_a_stale_or_unreachable_goal_is_not_driven_to(self):
        pose = {"position": {"x": 1, "y": 2, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}
        ros = {"header": {"frame_id": "map"}, "pose": {"pose": pose, "covariance": [0] * 36}}
        goal = {"name": "mug", "reachable": True, "stale": "not looked at for 9 days", "ageS": 777600}
        target = target_of({"to": {}, "goal": goal, "ros": ros})
        self.assertIn("not looked at for 9 days", may_go(target, False))
        self.assertIsNone(may_go(target, True))
        far = target_of({"to": {}, "goal": {**goal, "reachable": False}, "ros": ros})
        self.assertEqual(may_go(far, True), "no way there is known")
        with self.assertRaises(LookupError):
            target_of({"to": {"name": "mug"}, "goal": None})

    def test_an_answer_that_is_no_place_has_none_and_says_what_it_leaves_out(self):
        told = told_of({"status": "answered", "text": "2", "contradictions": ["the map x is left out"]})
        self.assertEqual((told.place, told.message), (None, "the map x is left out"))
        self.assertEqual(found_of([{"record": {"id": "a", "category": "mug"}, "score": 1}]), [("a", "mug", 1.0, None)])


if __name__ == "__main__":
    unittest.main()
