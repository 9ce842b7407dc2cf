#!/usr/bin/env python3
"""A home robot from end to end: a recording, the memory over HTTP, a question, a goal for Nav2.

Run: python3 examples/home-robot.py ["Where is the sofa?"]

The robot is simulated (`loci simulate`); a real one takes its pictures from ROS instead of a folder, and the rest stays.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "clients", "python"))
from loci import Loci  # noqa: E402

NODE = os.environ.get("LOCI_NODE", os.path.join(ROOT, "node_modules", ".bin", "node"))
LOCI = [NODE, os.path.join(ROOT, "bin", "loci.mjs")]
# The map is drawn when a round is over: the server takes a robot that sends nothing for 30 s to have ended it.
MAP_WAIT_S = 60


def frames(folder):
    """What the robot's cameras and its localisation say, moment by moment."""
    with open(os.path.join(folder, "frames.jsonl"), encoding="utf-8") as file:
        for line in map(json.loads, file):
            pictures = {}
            for part in ("color", "depth", "masks"):
                with open(os.path.join(folder, f"frame-{line['index']:06d}.{part}.png"), "rb") as picture:
                    pictures[part] = picture.read()
            yield line, pictures


def record(memory, folder):
    """Every frame goes to the outbox on the robot's own disk, and from there to the server, be it there or not."""
    for line, pictures in frames(folder):
        memory.frame(
            pictures["color"],
            time=line["timeUs"],
            pose=line["worldFromCamera"],
            intrinsics=line["intrinsics"],
            agent=line["agentId"],
            depth=pictures["depth"],
            masks=pictures["masks"],
            detections=line["detections"],
        )
    memory.flush(300)
    return line["worldFromCamera"]["p"]


def goal_of(memory, thing, start):
    until = time.monotonic() + MAP_WAIT_S
    while True:
        goal = memory.goal(thing, start=start)["goal"]
        if goal is not None or time.monotonic() > until:
            return goal
        time.sleep(1)


def nav2(goal):
    """The goal as nav2_msgs/action/NavigateToPose wants it; with rclpy, fill the same fields of a PoseStamped."""
    yaw = goal["yawRad"]
    orientation = {"x": 0.0, "y": 0.0, "z": math.sin(yaw / 2), "w": math.cos(yaw / 2)}
    return {"pose": {"header": {"frame_id": "map"}, "pose": {"position": goal["position"], "orientation": orientation}}}


def main(question):
    home = tempfile.mkdtemp(prefix="loci-example-")
    recording, server = os.path.join(home, "recording"), None
    try:
        house = ["--rooms", "4", "--floors", "1", "--minutes", "0.75", "--size", "96x72"]
        subprocess.run([*LOCI, "simulate", "house", *house, "--out", recording], check=True, stdout=subprocess.DEVNULL)
        serve = [*LOCI, "serve", "--memory", os.path.join(home, "memory"), "--port", "0", "--json", "--log", "error"]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE)
        url = json.loads(server.stdout.readline())["url"]
        with Loci(url, outbox=os.path.join(home, "outbox")) as memory:
            here = record(memory, recording)
            print("things:", len(memory.things()), "of frames:", memory.stats()["records"]["observation"])
            answer = memory.ask(question)
            print(question, answer["text"])
            print("it is at:", json.dumps(answer["position"]["point"]))
            thing = next(one["trackId"] for one in answer["evidence"] if "trackId" in one)
            goal = goal_of(memory, thing, here)
            print("navigate to pose:", json.dumps(nav2(goal)) if goal else "no map tells the way")
    finally:
        if server is not None:
            server.terminate()
            server.wait(30)
            server.stdout.close()
        shutil.rmtree(home)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "Where is the bathtub?")
