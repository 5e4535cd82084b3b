"""Gaming days made up from the manuals, as facts: honest ones, ones with a planted fault, and a whole sample house.

This package imports neither `games` nor `audit`: it is the second opinion on our rules.
"""

from . import faults_andar, faults_easy, faults_house, faults_money, faults_round  # noqa: F401  (each lists its faults)
from .day import honest_day
from .house import registers, sample_house
from .planting import FAULTS, Plant, plant

__all__ = ["FAULTS", "Plant", "honest_day", "plant", "registers", "sample_house"]
