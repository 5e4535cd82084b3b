"""Date and time formats that replace Django's own (setting FORMAT_MODULE_PATH)."""

DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y-m-d H:i:s e"
DATE_FORMAT = SHORT_DATE_FORMAT = "Y-m-d"
