"""The queue of complete requests, and the threads that handle them."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from casino.runtime.operations.health_paths import PROBES


class ByTurns:
    """A queue of connections (`Channel`) that have complete requests.

    Addresses take turns, so that many requests from one address do not delay the requests of others.
    Monitoring requests come first.
    """

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[Any]] = OrderedDict()
        self._count = 0

    def append(self, channel: Any) -> None:
        """Add a connection to the queue, after the connections of the same address that are
        already waiting.
        """
        requests = channel.requests
        is_probe = bool(requests) and getattr(requests[0], "path", "") in PROBES
        key = "probes" if is_probe else channel.address
        self._lines.setdefault(key, deque()).append(channel)
        if is_probe:
            self._lines.move_to_end(key, last=False)
        self._count += 1

    def popleft(self) -> Any:
        """Remove the next connection from the queue and return it."""
        key, line = next(iter(self._lines.items()))
        channel = line.popleft()
        if line:
            self._lines.move_to_end(key)
        else:
            del self._lines[key]
        self._count -= 1
        return channel

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        return (channel for line in self._lines.values() for channel in line)


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads that handle complete requests."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = ByTurns()
