"""Programs that nobody here wrote and that read what Catwalk gives: data tools, client generators, linters.

They are pinned with hashes in `requirements.txt` and `package-lock.json`, and are installed once, into
folders of their own next to the interpreter. A test whose program cannot be installed is skipped.
"""
