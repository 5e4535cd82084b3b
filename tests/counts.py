"""Read `CATWALK_COUNTS`: with `long`, which `make long` sets, tests try more cases."""

from __future__ import annotations

import os

LONG = os.environ.get("CATWALK_COUNTS") == "long"
