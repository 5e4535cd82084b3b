"""Recordings: their addresses at the recorder, holds before the recorder overwrites them, and exports."""
