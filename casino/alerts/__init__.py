"""Alerts and webhooks: the stream of events, rules that raise alerts, and deliveries by page, mail and
webhook.
"""
