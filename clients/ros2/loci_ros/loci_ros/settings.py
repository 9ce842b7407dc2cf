"""The node's parameters: defaults, units and ranges. A wrong one is a ValueError of one line."""

from __future__ import annotations

import math
import urllib.parse
from dataclasses import dataclass
from typing import Any, Mapping

TEXTS = {"url": "http://127.0.0.1:7077", "frame": "map", "agent": "", "scene": ""}
# Default, least, most.
NUMBERS = {
    "period_s": (5.0, 0.5, 3600.0),
    "timeout_s": (20.0, 1.0, 300.0),
    "most_things": (500, 1, 1000),
    "stale_after_h": (24.0, 0.1, 24.0 * 366),
}


@dataclass(frozen=True)
class Settings:
    url: str
    frame: str
    agent: str
    scene: str
    period_s: float
    timeout_s: float
    most_things: int
    stale_after_h: float


def defaults() -> dict:
    return {**TEXTS, **{name: value for name, (value, _, _) in NUMBERS.items()}}


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Checks parameters as ROS hands them over."""
    unknown = sorted(set(given) - set(defaults()))
    if unknown:
        raise ValueError(f"expected parameters among {', '.join(defaults())}, got {unknown[0]}")
    values = {**defaults(), **given}
    for name in TEXTS:
        if not isinstance(values[name], str):
            raise ValueError(f"{name}: expected text, got {values[name]!r}")
    parts = urllib.parse.urlsplit(values["url"])
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"url: expected an address such as {TEXTS['url']}, got {values['url']!r}")
    if not values["frame"]:
        raise ValueError("frame: expected what the robot calls its map, got nothing")
    for name, (usual, least, most) in NUMBERS.items():
        value = values[name]
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or not least <= value <= most:
            raise ValueError(f"{name}: expected {least:g} to {most:g}, got {value!r}")
        values[name] = type(usual)(value)
    return Settings(**values)
