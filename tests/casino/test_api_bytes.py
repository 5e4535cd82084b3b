"""The REST API answers any bytes that are posted: it records facts, or returns a problem document."""

import json
from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from tests.audit.floor import line, opened
from tests.casino.conftest import Api
from tests.casino.test_api import problem
from tests.counts import LONG

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)
bytes_of_all_kinds = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=200).map(lambda text: text.encode(errors="surrogatepass")),
    st.builds(
        lambda at, new: line(opened(1))[:at] + new + line(opened(1))[at:],
        st.integers(0, 500),
        st.binary(min_size=1, max_size=3),
    ),
    st.builds(
        lambda key, value: line(opened(1) | {key: value}),
        st.sampled_from([*opened(1), "v", "n", "round"]),
        values,
    ),
)


@examples(
    max_examples=200 if LONG else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(body=bytes_of_all_kinds, form=st.sampled_from(["application/x-ndjson", "application/json"]))
def test_any_bytes_that_are_posted_are_answered(gateway: Api, settings: Any, body: bytes, form: str) -> None:
    settings.API_RATE = 10**6
    answer = gateway.send(body, form)
    assert answer.status_code in (201, 400, 403, 409, 413, 422), (answer.status_code, answer.content[:300])
    if answer.status_code != 201:
        problem(answer, answer.status_code, json.loads(answer.content)["code"])
