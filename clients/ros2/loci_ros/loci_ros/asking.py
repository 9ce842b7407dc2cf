"""What the node asks of a memory, over the HTTP client of clients/python."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from .answers import Target, Told, found_of, target_of, told_of
from .loci import Loci
from .scene import Room, Thing, rooms_in, things_in
from .settings import Settings


class Asking:
    """One memory, asked as a robot: places are in its frame, ways begin where it is."""

    def __init__(self, settings: Settings, token: Optional[str] = None):
        self.settings = settings
        self._memory = Loci(settings.url, token=token, timeout=settings.timeout_s, retry_for=0.0)

    def close(self) -> None:
        self._memory.close()

    def ask(self, question: str) -> Told:
        return told_of(self._memory.ask(question, **self._whose(), frame=self.settings.frame))

    def goal(self, to: str) -> Target:
        hours = self.settings.stale_after_h
        whose = self._whose()
        return target_of(self._memory.goal(to, **whose, frame=self.settings.frame, stale_after=3600 * hours))

    def find(self, text: str, limit: int) -> List[Any]:
        most = min(max(1, limit or 10), self.settings.most_things)
        hits = self._memory.search(text, kinds=["state"], believed=True, limit=most, **self._where())
        return found_of(hits)

    def things(self) -> List[Thing]:
        hits = self._memory.search(
            kinds=["state"], believed=True, rank="latest", limit=self.settings.most_things, **self._where()
        )
        return things_in(hits)

    def rooms(self) -> List[Room]:
        return rooms_in(self._memory.search(kinds=["region"], category=["room"], limit=1000, **self._where()))

    def _where(self) -> Dict[str, Any]:
        return {"scene": self.settings.scene} if self.settings.scene else {}

    def _whose(self) -> Dict[str, Any]:
        agent = {"agent": self.settings.agent} if self.settings.agent else {}
        return {**agent, **self._where()}
