"""Metrics for Prometheus: request counts of all web processes together, and the current state of the
installation.

Labels contain no personal data: routes are URL patterns, and properties are codes. If there are several web
processes, each writes its counts to files in a folder (`PROMETHEUS_MULTIPROC_DIR`, created by
casino/runtime/operations/web_server.py). The process that answers `/metrics` adds them up.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from casino.runtime import replica
from casino.runtime.operations import heartbeats, readiness

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_counted = CollectorRegistry()
_answers = Counter(
    "catwalk_answers", "Requests that were answered.", ("method", "route", "code"), registry=_counted
)
_seconds = Histogram(
    "catwalk_answer_seconds",
    "Seconds until the answer began.",
    ("route",),
    buckets=BOUNDS,
    registry=_counted,
)
_reads = Counter(
    "catwalk_replica_reads",
    "Pages and answers that a replica may give, by where they were read (replica, primary) and why.",
    ("source", "reason"),
    registry=_counted,
)


def answered(method: str, route: str, code: int, seconds: float) -> None:
    """Count an answered request and its duration in seconds."""
    _answers.labels(method_of(method), route, str(code)).inc()
    _seconds.labels(route).observe(seconds)


def read_from(source: str, reason: str) -> None:
    """Count a page or answer that the replica could have given: `source` says which database was read, and
    `reason` why.
    """
    _reads.labels(source, reason).inc()


def method_of(method: str) -> str:
    """Return the HTTP method, or `other` if it is not a standard one."""
    return method if method in METHODS else "other"


def exposed() -> bytes:
    """Return the text of all metrics, in the format of Prometheus."""
    registry = CollectorRegistry()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(_Counted())
    registry.register(_House())
    return generate_latest(registry)


class _Counted(Collector):
    """The collector of the request counts of this process."""

    def collect(self) -> Iterator[Metric]:
        yield from _counted.collect()


def _replica() -> Iterator[Metric]:
    """Yield how far the replica is behind the primary, and whether it is read."""
    status = replica.state()
    if status.lag is not None:
        yield GaugeMetricFamily(
            "catwalk_replica_lag_seconds", "Seconds that the replica is behind the primary.", value=status.lag
        )
    yield GaugeMetricFamily(
        "catwalk_replica_read",
        "1 if reports, exports, boards and searches read the replica, 0 if they read the primary.",
        value=float(status.reason == replica.USED),
    )


class _House(Collector):
    """Collector of the installation's state. If the database does not answer, it reports only the parts that
    are not ready.
    """

    def collect(self) -> Iterator[Metric]:
        state = readiness.state()
        ready = GaugeMetricFamily(
            "catwalk_ready", "1 if this part of Catwalk works, otherwise 0.", labels=["part"]
        )
        for part in readiness.PARTS:
            ready.add_metric([part], float(part not in state))
        yield ready
        if "database" in state or "migrations" in state:
            return
        if replica.is_configured():
            yield from _replica()
        status = heartbeats.now()
        facts = CounterMetricFamily("catwalk_facts", "Recorded facts, by ledger.", labels=["property"])
        for property, position in status.ledgers:
            facts.add_metric([property], position)
        yield facts
        jobs = GaugeMetricFamily("catwalk_jobs", "Jobs that are not done, by state.", labels=["state"])
        for name, count in status.jobs.items():
            jobs.add_metric([name], count)
        yield jobs
        yield GaugeMetricFamily(
            "catwalk_jobs_interrupted",
            "Jobs that were interrupted five times or more, by outages or because their worker ended.",
            value=status.interrupted,
        )
        yield GaugeMetricFamily(
            "catwalk_derived_differs",
            "Checks that found stored results or cached sums that differ from the facts.",
            value=status.differing,
        )
        yield GaugeMetricFamily(
            "catwalk_job_waits_seconds",
            "Seconds for which the oldest due job has waited.",
            value=status.waits,
        )
        signs = GaugeMetricFamily(
            "catwalk_last_sign_seconds", "Seconds since a process was last active.", labels=["process"]
        )
        for name, age in status.signs.items():
            signs.add_metric([name], age)
        yield signs
