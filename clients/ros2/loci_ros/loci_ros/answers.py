"""Answers and goals of a memory as plain values, before they are messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple

Point = Tuple[float, float, float]
MOST_MESSAGE = 500


@dataclass(frozen=True)
class Told:
    """An answer: what is left out of it is in `message`."""

    status: str
    text: str
    confidence: float
    message: str = ""
    evidence: List[str] = field(default_factory=list)
    frame: str = ""
    place: Optional[Point] = None


@dataclass(frozen=True)
class Target:
    """Where to stand: a pose in the robot's own frame, with its covariance (x, y, z, roll, pitch, yaw; row by row)."""

    name: str
    frame: str
    position: Point
    orientation: Tuple[float, float, float, float]
    covariance: Tuple[float, ...]
    reachable: bool
    path_m: float
    age_s: float
    stale: str

    @property
    def message(self) -> str:
        notes = [self.stale, "" if self.reachable else "no way there is known"]
        return "; ".join(note for note in notes if note)


def told_of(answer: Mapping[str, Any]) -> Told:
    place = answer.get("position")
    ids = dict.fromkeys(one["ref"] for one in answer.get("evidence", ()))
    return Told(
        status=answer["status"],
        text=answer["text"],
        confidence=float(answer.get("confidence", 0.0)),
        message="; ".join(answer.get("contradictions", ()))[:MOST_MESSAGE],
        evidence=list(ids),
        frame=place["frame"] if place else "",
        place=_point(place["point"]) if place else None,
    )


def target_of(found: Mapping[str, Any]) -> Target:
    """What `goal` says; a LookupError of one line where there is no pose to stand at."""
    goal, ros = found.get("goal"), found.get("ros")
    if not goal or not ros:
        raise LookupError(f"there is no map of the floor near {found['to'].get('name') or 'it'}, so no place to stand at")
    pose = ros["pose"]["pose"]
    q = pose["orientation"]
    return Target(
        name=goal.get("name") or found["to"].get("name") or "",
        frame=ros["header"]["frame_id"],
        position=_point(pose["position"]),
        orientation=(q["x"], q["y"], q["z"], q["w"]),
        covariance=tuple(float(value) for value in ros["pose"]["covariance"]),
        reachable=bool(goal.get("reachable", False)),
        path_m=float(goal.get("pathM", 0.0)),
        age_s=float(goal.get("ageS", 0.0)),
        stale=goal.get("stale", ""),
    )


def may_go(target: Target, even_if_stale: bool) -> Optional[str]:
    """Why a robot should not drive there; None if it may."""
    if not target.reachable:
        return "no way there is known"
    if target.stale and not even_if_stale:
        return f"{target.name} was {target.stale}; set even_if_stale to drive there all the same"
    return None


def found_of(hits: List[Dict[str, Any]]) -> List[Tuple[str, str, float, Optional[Point]]]:
    """Id, name, score and place of what a search found, each thing once."""
    rows = {}
    for hit in hits:
        believed = hit.get("believed") or {}
        id = believed.get("trackId") or hit["record"]["id"]
        place = believed.get("position") or hit.get("position")
        name = believed.get("name") or hit["record"].get("name") or hit["record"].get("category") or ""
        rows.setdefault(id, (id, name, float(hit["score"]), _point(place) if place else None))
    return list(rows.values())


def _point(given: Mapping[str, float]) -> Point:
    return (float(given["x"]), float(given["y"]), float(given["z"]))
