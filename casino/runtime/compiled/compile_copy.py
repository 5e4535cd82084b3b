"""Compile copied sources: `python -m casino.runtime.compiled.compile_copy FOLDER FILE ...`, in the folder of
the copy. `build.py` runs this as a separate process, so that only this process imports mypyc and setuptools.
"""

from __future__ import annotations

import sys

from mypyc.build import mypycify
from setuptools import Distribution

from casino.runtime.compiled.modules import GROUP, OPTIMIZATION

if __name__ == "__main__":
    folder, *files = sys.argv[1:]
    extensions = mypycify(
        ["--config-file=mypy.ini", *files], opt_level=OPTIMIZATION, debug_level="0", group_name=GROUP
    )
    command = Distribution({"name": GROUP, "ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = folder, "objects"
    command.ensure_finalized()
    command.run()
