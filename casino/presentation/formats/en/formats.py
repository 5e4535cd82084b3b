"""Django looks here (FORMAT_MODULE_PATH) before it takes its own formats."""

DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y-m-d H:i:s e"
DATE_FORMAT = SHORT_DATE_FORMAT = "Y-m-d"
