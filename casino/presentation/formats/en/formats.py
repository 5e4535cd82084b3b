"""Date and time formats that replace Django's own (setting FORMAT_MODULE_PATH)."""

DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "D j M Y, H:i:s e"
DATE_FORMAT = SHORT_DATE_FORMAT = "j M Y"
