"""Tests with programs of other projects that read what Catwalk writes: data tools, client generators,
linters.

The programs are pinned with hashes in `requirements.txt` and `package-lock.json`. They are installed once,
into folders of their own next to the interpreter. A test whose program cannot be installed is skipped.
"""
