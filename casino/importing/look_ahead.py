"""Make the next value of an iterator while the caller waits for something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class LookAhead(Generic[T]):
    """Iterates over values. The caller can have the next value made before it asks for it.

    An exception that is raised while a value is made reaches the caller when it asks for this value, so that
    the caller can first complete its work on the current value.
    """

    def __init__(self, values: Iterator[T]) -> None:
        self._values = values
        self._next: Callable[[], T] | None = None

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        self.prepare()
        assert self._next is not None
        get_value, self._next = self._next, None
        return get_value()

    def prepare(self) -> None:
        """Make the next value, if this was not done yet."""
        if self._next is not None:
            return
        try:
            value = next(self._values)
        except Exception as error:  # raised again when the value is needed
            failure = error

            def fail() -> T:
                raise failure

            self._next = fail
        else:
            self._next = lambda: value
