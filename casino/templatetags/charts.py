"""Template tags that draw charts (`casino/presentation/charts.py`)."""

from __future__ import annotations

from django import template

from casino.presentation.charts import bars, waterfall

register = template.Library()
register.simple_tag(bars)
register.simple_tag(waterfall)
