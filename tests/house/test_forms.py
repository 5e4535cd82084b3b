"""Product code reads submitted fields through forms, not one by one from the request."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.manage import PROJECT

READERS = {
    "casino/accounts/lockout.py": "hides the form from the count of failed logins, and reads no field",
    "casino/accounts/signatures.py": "passwords and codes of signers, which no form may show again",
}
"""Modules outside casino/web that may read `request.POST`, each with the reason."""


def flaws(source: str) -> Iterator[str]:
    """Yield a message for each read of `request.POST`. Also yield a message for each call of
    `submitted(request)` if its result is not passed directly to another call, which is usually the class of a
    form.
    """
    tree = ast.parse(source)
    submitted = {
        id(choice)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        for choice in _choices(argument)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr):
            continue
        if isinstance(node, ast.Attribute) and node.attr == "POST":
            yield f"{node.lineno}: reads request.POST. Give submitted(request) to a form, and read the form."
        is_read = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("submitted")
        if is_read and id(node) not in submitted:
            yield f"{node.lineno}: submitted(request) is only the data of a form. Read the form."


def _choices(argument: ast.expr) -> list[ast.expr]:
    """Return the expressions that can give an argument its value: the branches of a condition, or the
    argument itself.
    """
    if isinstance(argument, ast.BoolOp):
        return argument.values
    return [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]


def test_pages_read_submitted_fields_through_forms() -> None:
    paths = [path.relative_to(PROJECT).as_posix() for path in sorted((PROJECT / "casino").rglob("*.py"))]
    messages = [
        f"{path}:{flaw}"
        for path in paths
        if not path.startswith("casino/web/") and path not in READERS
        for flaw in flaws((PROJECT / path).read_text())
    ]
    assert len(paths) > 200
    assert not messages, "\n" + "\n".join(messages)


@pytest.mark.parametrize("path", READERS)
def test_each_exception_still_reads_the_fields(path: str) -> None:
    assert list(flaws((PROJECT / path).read_text()))


@pytest.mark.parametrize(
    ("source", "is_flawed"),
    [
        ("name = request.POST['name']", True),
        ("name = request.POST.get('name', '')", True),
        ("if 'name' in request.POST: pass", True),
        ("name = submitted(request)['name']", True),
        ("sent = submitted(request)", True),
        ("name = form_view.submitted(request).get('name')", True),
        ("form = NoteForm(submitted(request))", False),
        ("form = NoteForm(submitted(request) or request.GET)", False),
        ("form = NoteForm(None if is_end else submitted(request))", False),
        ("form = NoteForm(data=form_view.submitted(request))", False),
        ("name = request.GET.get('name', '')", False),
    ],
)
def test_a_read_without_a_form_is_found(source: str, is_flawed: bool) -> None:
    assert bool(list(flaws(source))) is is_flawed
