"""The pages of officers: queue, hand, verdict, hold, viewing log, help. They parse, call one act or query,
and answer.
"""
