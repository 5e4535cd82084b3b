"""Consumers that take facts from message brokers (AMQP and MQTT) and record them through intake."""
