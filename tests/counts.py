"""How much the tests count: `CATWALK_COUNTS=long`, which `make long` sets, requests the large counts."""

from __future__ import annotations

import os

LONG = os.environ.get("CATWALK_COUNTS") == "long"
