"""Build the image of the container file with buildah, from a clean clone, and run commands in it.

The base image is made of the distribution's own packages, so that no registry of images is needed.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.tools import install

pytestmark = pytest.mark.long
PROJECT = Path(__file__).parents[2]
FILE = "casino/runtime/operations/Containerfile"
PACKAGES = "python3,python3-venv,ca-certificates"
CERTIFICATES = "/etc/ssl/certs"
"""The folder with this machine's certificates. pip needs them if the certificate of its package index is
known only to this machine.
"""


def test_the_image_builds_from_a_clean_clone_and_runs(tmp_path: Path) -> None:
    buildah = install.program("buildah", "buildah")
    debootstrap = install.program("debootstrap", "debootstrap")
    if os.geteuid():
        pytest.skip("debootstrap needs root")
    store = f"--root {tmp_path}/images --runroot {tmp_path}/run --storage-driver vfs".split()

    def ran(*command: str, folder: Path = tmp_path) -> str:
        process = subprocess.run(list(command), cwd=folder, capture_output=True, text=True, check=False)
        assert process.returncode == 0, process.stdout[-3000:] + process.stderr[-3000:]
        return process.stdout.strip()

    ran(debootstrap, "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(tmp_path / "base"))
    scratch = ran(buildah, *store, "from", "scratch")
    ran(buildah, *store, "copy", "-q", scratch, str(tmp_path / "base"), "/")
    ran(buildah, *store, "commit", "-q", scratch, "localhost/base")
    ran("git", "clone", "-q", str(PROJECT), str(tmp_path / "clone"))
    options = (
        f"--isolation chroot --network host --build-arg BASE=localhost/base -t catwalk -f {FILE}".split()
    )
    volume = ("-v", f"{CERTIFICATES}:{CERTIFICATES}:ro")
    ran(buildah, *store, "bud", "-q", *options, *volume, ".", folder=tmp_path / "clone")
    container = ran(buildah, *store, "from", "--pull-never", "localhost/catwalk")
    run = (buildah, *store, "run", "--isolation", "chroot", container, "--")
    assert ran(*run, "id", "-un") == "catwalk"
    assert ran(*run, "sh", "-c", "ls -a /srv/catwalk | grep -c -x -e .git -e tests || true") == "0"
    ran(*run, "python", "manage.py", "reference", "--check")
    ran(
        *run, "gunicorn", "--check-config", "-c", "python:casino.runtime.operations.web_server", "casino.wsgi"
    )
