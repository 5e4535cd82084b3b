"""The count room: drop boxes are pulled, counted and recounted."""
