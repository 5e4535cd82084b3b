"""The count room: drop boxes pulled, counted and recounted."""
