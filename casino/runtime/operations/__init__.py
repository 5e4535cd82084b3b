"""What those need who keep the house running: signs of life, figures, logs, backups, and the files by which a
machine starts it.
"""
