"""Charts that the server draws as SVG, without scripts, style attributes or floats.

Positions along the width are percentages, so text is never scaled, and heights are pixels. A chart has a
title with its unit and scope, an axis with ticks, a zero line, and a table of its figures. Each mark can be
a link. The templates in `templates/charts` draw what these modules compute, and `charts.css` has the colors.
"""
