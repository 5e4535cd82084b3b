"""Recordings: their addresses at the recorder, orders to hold them before the recorder overwrites them, and
exports.
"""
