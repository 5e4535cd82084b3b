"""The example sentences in the findings reference are those that replay writes at present."""

import pytest

from audit.reference.findings import examples
from tests.reference_sentences import gather_examples


@pytest.mark.long
def test_every_example_is_found_by_a_replay() -> None:
    examples_by_code = gather_examples()
    assert set(examples()) == set(examples_by_code), (
        "run python -m tests.reference_sentences, then manage.py reference"
    )
    for code, example in examples().items():
        found_sentences = {(example.game, example.says, example.cite) for example in examples_by_code[code]}
        assert (example.game, example.says, example.cite) in found_sentences, (
            f"{code}: run python -m tests.reference_sentences"
        )
