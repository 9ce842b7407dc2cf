"""habitat-sim as a body for `loci explore --body` (docs/body.md).

NOT RUN by us: neither habitat-sim nor its scenes are part of our tests. It is written against habitat-sim 0.3's Python
interface and kept short, so that what does not fit your version is soon found.

    python3 habitat_body.py --scene scene.glb --port 8790

Habitat's world has y up and looks along -z: a point (x, y, z) there is (x, -z, y) here.
"""

from __future__ import annotations

import argparse
import base64
import math
import time
from typing import Any, Callable

import habitat_sim  # type: ignore[import-not-found]
import numpy as np  # type: ignore[import-not-found]

from loci import png
from loci_body import Refused, serve, wrapped

SIZE, EYE_M, FOV = 256, 1.5, math.radians(90)
SPEED_MPS, TURN_RADPS, STEP_M = 1.0, 1.5, 0.1


def ours(p: Any) -> dict[str, float]:
    return {"x": float(p[0]), "y": -float(p[2]), "z": float(p[1])}


def theirs(p: dict[str, float]) -> Any:
    return np.array([p["x"], p["z"], -p["y"]], dtype=np.float32)


class HabitatBody:
    agent = "habitat"

    def __init__(self, scene: str) -> None:
        sensors = []
        for name, kind in (("rgb", habitat_sim.SensorType.COLOR), ("depth", habitat_sim.SensorType.DEPTH)):
            spec = habitat_sim.CameraSensorSpec()
            spec.uuid, spec.sensor_type, spec.resolution = name, kind, [SIZE, SIZE]
            spec.position, spec.hfov = [0.0, EYE_M, 0.0], math.degrees(FOV)
            sensors.append(spec)
        simulator = habitat_sim.SimulatorConfiguration()
        simulator.scene_id = scene
        agent = habitat_sim.agent.AgentConfiguration(sensor_specifications=sensors)
        self._sim = habitat_sim.Simulator(habitat_sim.Configuration(simulator, [agent]))
        if not self._sim.pathfinder.is_loaded:
            raise SystemExit("expected a scene with a navmesh beside it: make one with habitat_sim's recompute_navmesh")
        self._at = np.array(self._sim.pathfinder.get_random_navigable_point())
        self._yaw, self._time_us = 0.0, time.time_ns() // 1000
        self.focal = SIZE / 2 / math.tan(FOV / 2)
        self.model = {
            "radiusM": 0.2, "speedMps": SPEED_MPS, "turnRadps": TURN_RADPS, "eyeHeightM": EYE_M,
            "horizontalFovRad": FOV, "focalPx": self.focal, "sightM": 7.0,
        }  # fmt: skip

    def whereabouts(self) -> dict[str, Any]:
        return {"position": ours(self._at), "yawRad": self._yaw, "timeUs": self._time_us}

    def look(self) -> list[dict[str, Any]]:
        state = habitat_sim.AgentState()
        state.position = self._at
        # Our yaw 0 is along +x; theirs looks along -z, which is our +y.
        turn = self._yaw - math.pi / 2
        state.rotation = np.quaternion(math.cos(turn / 2), 0, math.sin(turn / 2), 0)
        self._sim.get_agent(0).set_state(state)
        seen = self._sim.get_sensor_observations()
        self._time_us += 1
        depth = np.clip(np.nan_to_num(seen["depth"]) * 1000, 0, 65_535).astype("<u2")
        colours = np.ascontiguousarray(seen["rgb"][..., :3])
        c, s = math.cos(self._yaw / 2), math.sin(self._yaw / 2)
        half = 0.5
        w, x, y, z = c * half + s * half, -c * half - s * half, c * half - s * half, -c * half + s * half
        eye = ours(self._at)
        eye["z"] += EYE_M
        middle = SIZE / 2
        return [
            {
                "timeUs": self._time_us,
                "intrinsics": {
                    "fx": self.focal, "fy": self.focal, "cx": middle, "cy": middle, "width": SIZE, "height": SIZE,
                },
                "worldFromCamera": {"p": eye, "q": {"w": w, "x": x, "y": y, "z": z}},
                "rgb": base64.b64encode(png(SIZE, SIZE, colours.tobytes())).decode(),
                "depth": base64.b64encode(png(SIZE, SIZE, depth.tobytes(), bits=16, channels=1)).decode(),
                "depthUnitM": 0.001,
            }
        ]  # fmt: skip

    def go(
        self,
        to: dict[str, Any],
        limits: dict[str, float],
        moved: Callable[[dict[str, Any]], None],
        stopped: Callable[[], bool],
    ) -> dict[str, Any]:
        path = habitat_sim.ShortestPath()
        path.requested_start, path.requested_end = self._at, self._sim.pathfinder.snap_point(theirs(to["position"]))
        if not np.isfinite(path.requested_end).all():
            raise Refused("the goal is not on the navmesh")
        if not self._sim.pathfinder.find_path(path):
            return self._went("refused", 0.0, 0.0, "no way leads there")
        driven, turned, began = 0.0, 0.0, self._time_us
        speed = min(SPEED_MPS, limits["maxSpeedMps"])
        for a, b in zip(path.points, path.points[1:]):
            steps = max(1, math.ceil(float(np.linalg.norm(np.subtract(b, a))) / STEP_M))
            for n in range(1, steps + 1):
                point = np.add(a, np.subtract(b, a) * (n / steps))
                step = float(np.linalg.norm(point - self._at))
                if stopped():
                    return self._went("cancelled", driven, turned, "it was told to stop")
                if driven + step > limits["maxPathM"] or self._time_us - began > limits["maxTimeS"] * 1e6:
                    return self._went("limit", driven, turned, "its metres or its time ran out")
                turned += self._turn(math.atan2(-(point[2] - self._at[2]), point[0] - self._at[0]))
                self._at, driven = point, driven + step
                self._time_us += int(step / speed * 1e6)
                moved(self.whereabouts())
        turned += self._turn(to["yawRad"])
        return self._went("arrived", driven, turned)

    def _turn(self, yaw: float) -> float:
        angle = abs(wrapped(yaw - self._yaw))
        self._yaw = wrapped(yaw)
        self._time_us += int(angle / TURN_RADPS * 1e6)
        return angle

    def _went(self, outcome: str, driven: float, turned: float, why: str = "") -> dict[str, Any]:
        return {"outcome": outcome, "pathM": driven, "turnRad": turned, "at": self.whereabouts(), "why": why}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="serves habitat-sim as a body (docs/body.md); not run by us")
    parser.add_argument("--scene", required=True)
    parser.add_argument("--port", type=int, default=8790)
    options = parser.parse_args()
    serve(HabitatBody(options.scene), options.port)
