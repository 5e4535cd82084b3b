"""Group commit: record small posts that arrive at the same time in one transaction.

A commit waits until the disk has stored it, and the ledger of a property is locked until then. Posts of
single facts would therefore be as slow as the disk. So the threads of a process that post for one property
share a transaction: one of them, the leader, records its own post together with all posts that wait. It
commits, and each thread gets the results of its own post or its own refusal. Then a post that has arrived
meanwhile leads the next group. A thread that posts alone leads at once: nothing waits for more posts.

Leaders of several processes take turns by a lock of the database. A leader collects its group when it has the
lock, because more posts arrive while it waits.

A post that is refused does not affect the others of its group (`record_each`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from threading import Lock

import psycopg
from django import db
from django.db import transaction

from audit import database
from audit.facts import Prepared, Refused
from audit.ledger.store import Recorded

MOST = 500
"""Maximum number of facts that a group records in one transaction."""
LARGEST = 50
"""Maximum number of facts of a post that shares a transaction. A larger post has its own transaction."""
OUTAGES = (db.OperationalError, db.InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
"""Errors of the database that concern a whole group and not the facts of one post: the connection is lost,
the disk is full, or the transaction was cancelled.
"""
TURN = 0x0CA7F1
"""The first number of the database locks by which leaders of several processes take turns."""
_TURN = "SELECT pg_advisory_xact_lock(%s, hashtext(%s))"

Append = Callable[[list[Prepared]], list[Recorded]]
"""A function that records facts in one transaction and returns one result for each. If it raises Refused with
the index of a fact, it has recorded nothing.
"""
Outcome = list[Recorded] | Refused
"""What happened to a post: the results of its facts, or why it was refused."""


def record_each(
    posts: Sequence[Sequence[Prepared]], append: Append, max_facts: int, size: int | None = None
) -> Iterator[Outcome]:
    """Record posts in their order, several in one transaction. Yield the outcome of each post after it was
    committed. A post is recorded completely or not at all.

    If no post is refused, up to `max_facts` facts are recorded in one transaction. After a refused post, the
    next transaction records one post, and each further transaction twice as many as the one before it. This
    takes little time even if many posts are refused.

    If two posts contain the same fact, both get its place. It is fresh only for the first one.

    Args:
        max_facts: the maximum number of facts in a transaction, unless one post has more.
        size: the maximum number of posts in the first transaction, or None for all.
    """
    place, size = 0, size or len(posts)
    while place < len(posts):
        group = _first_group(posts[place : place + size], max_facts)
        try:
            results = append([fact for post in group for fact in post])
        except Refused as refused:
            size, index = _place_of(refused.index, group)
            if size == 0:
                refused.index = index
                yield refused
                place, size = place + 1, 1
        else:
            yield from _divide(results, group)
            place, size = place + len(group), size * 2


def _first_group(posts: Sequence[Sequence[Prepared]], max_facts: int) -> Sequence[Sequence[Prepared]]:
    """Return the first of these posts that can be recorded in one transaction: together they have at most
    `max_facts` facts, or there is only one post.
    """
    facts = 0
    for place, post in enumerate(posts):
        facts += len(post)
        if place and facts > max_facts:
            return posts[:place]
    return posts


def _place_of(index: int | None, posts: Sequence[Sequence[Prepared]]) -> tuple[int, int]:
    """Return the index of the post that contains the refused fact, and the index of the fact in that post.
    `index` is the index of the fact among the facts of all these posts.
    """
    assert index is not None, "the ledger names the fact that it refuses"
    for place, post in enumerate(posts):
        if index < len(post):
            return place, index
        index -= len(post)
    raise LookupError(index)


def _divide(results: list[Recorded], posts: Sequence[Sequence[Prepared]]) -> Iterator[list[Recorded]]:
    """Yield the results of each post. If two posts contain the same fact, it is fresh only in the first."""
    if len(posts) == 1:
        yield results
        return
    start = 0
    earlier: set[int] = set()
    for post in posts:
        own = results[start : start + len(post)]
        start += len(post)
        yield [result._replace(fresh=False) if result.uid.int in earlier else result for result in own]
        earlier.update(result.uid.int for result in own)


class _Post:
    """A post of one thread.

    Attributes:
        outcome: the results of its facts or the error, or None while neither is known.
        leads: True if its thread records its group.
        is_connected: True if its thread has a connection to the database.
    """

    def __init__(self, facts: Sequence[Prepared]) -> None:
        self.facts = facts
        self.outcome: Outcome | Exception | None = None
        self.leads = False
        self.is_connected = db.connection.connection is not None
        self._woken = Lock()
        self._woken.acquire()

    def wait(self) -> None:
        """Wait until the outcome is known or this post leads the next group."""
        self._woken.acquire()

    def wake(self) -> None:
        """End the wait of the thread that posts."""
        self._woken.release()

    def results(self) -> list[Recorded]:
        """Return the results of the facts, or raise the exception with which the post failed."""
        assert self.outcome is not None, "a post that is no longer waiting has an outcome"
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


class _Queue:
    """The posts of a property that wait while a thread records a group.

    Attributes:
        is_led: True if a thread records a group.
        was_shared: True if the last group had several posts.
    """

    def __init__(self) -> None:
        self.posts: deque[_Post] = deque()
        self.is_led = self.was_shared = False


_lock = Lock()
"""Held by a thread while it changes a queue. It is released before facts are recorded."""
_queues: dict[str, _Queue] = {}
"""The queue of each property for which this process has recorded a small post."""


def may_share(facts: Sequence[Prepared]) -> bool:
    """Return True if these facts may share a transaction with other posts. A large post may not, and neither
    may a post inside a transaction of the caller, because only the caller commits it.
    """
    return 0 < len(facts) <= LARGEST and not db.connection.in_atomic_block and database.reads_primary()


def record(property: str, facts: Sequence[Prepared], append: Append) -> list[Recorded]:
    """Record a small post for one property, together with the posts of other threads that wait. Return the
    results of its facts in their order, after the commit.

    Raise Refused if this post is refused. Raise the error of the database if the group could not be recorded.
    """
    post = _Post(facts)
    with _lock:
        queue = _queues.setdefault(property, _Queue())
        if queue.is_led:
            queue.posts.append(post)
        else:
            queue.is_led = post.leads = True
    if not post.leads:
        try:
            post.wait()
        except BaseException:  # for example KeyboardInterrupt
            _withdraw(queue, post)
            raise
    if post.leads:
        _lead(property, queue, post, append)
    return post.results()


def _lead(property: str, queue: _Queue, own: _Post, append: Append) -> None:
    """Record a group: the leader's own post, followed by posts that wait. Then let the next post lead."""
    posts = [own]
    try:
        try:
            with transaction.atomic():
                if queue.was_shared or queue.posts:
                    database.rows(_TURN, [TURN, property])
                posts += _take(queue, MOST - len(own.facts))
                results = append([fact for post in posts for fact in post.facts])
            for post, outcome in zip(posts, _divide(results, [post.facts for post in posts]), strict=True):
                post.outcome = outcome
        except Exception as error:
            _record_others(posts, error, append)
    finally:
        # Posts without an outcome are left only if this thread is ending, for example by SystemExit.
        _hand_over(queue, [post for post in posts[1:] if post.outcome is None])
        for post in posts[1:]:
            if post.outcome is not None:
                post.wake()


def _take(queue: _Queue, max_facts: int) -> list[_Post]:
    """Remove the first posts that wait from the queue, and return them. Together they have at most
    `max_facts` facts.
    """
    taken: list[_Post] = []
    with _lock:
        while queue.posts and (max_facts := max_facts - len(queue.posts[0].facts)) >= 0:
            taken.append(queue.posts.popleft())
        queue.was_shared = bool(taken)
    return taken


def _record_others(posts: Sequence[_Post], error: Exception, append: Append) -> None:
    """Set the outcome of each post of a group that failed with this error. If the error concerns one of the
    posts, the others are recorded.
    """
    pending = [post for post in posts if post.outcome is None]
    if len(pending) == 1:
        pending[0].outcome = error
    elif isinstance(error, OUTAGES):
        for post in pending:
            post.outcome = _copy(error)
    elif isinstance(error, Refused):
        try:
            facts = [post.facts for post in pending]
            before, _ = _place_of(error.index, facts)
            outcomes = record_each(facts, append, MOST, size=max(1, before))
            for post, outcome in zip(pending, outcomes, strict=True):
                post.outcome = outcome
        except Exception as next_error:
            _record_others(pending, next_error, append)
    else:
        for post in pending:
            try:
                post.outcome = append(list(post.facts))
            except Exception as own_error:
                post.outcome = own_error


def _copy(error: Exception) -> Exception:
    """Return a copy of an error of the database, because each thread raises its own copy."""
    copied = copy(error)
    copied.__cause__ = error.__cause__
    return copied


def _hand_over(queue: _Queue, unrecorded: Sequence[_Post] = ()) -> None:
    """Put posts back to the beginning of the queue. Let a post that waits lead the next group: the first one
    whose thread has a connection to the database, or the first one.
    """
    with _lock:
        queue.posts.extendleft(reversed(unrecorded))
        queue.is_led = bool(queue.posts)
        if not queue.posts:
            return
        # Then a program with many threads opens few connections.
        leader = next((post for post in queue.posts if post.is_connected), queue.posts[0])
        queue.posts.remove(leader)
        leader.leads = True
    leader.wake()


def _withdraw(queue: _Queue, post: _Post) -> None:
    """Remove a post from the queue whose thread no longer waits. If it was to lead, another one leads."""
    with _lock:
        if post in queue.posts:
            queue.posts.remove(post)
    if post.leads:
        _hand_over(queue)
