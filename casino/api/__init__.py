"""The REST API: programs post facts, and read everything that is recorded. Requests need a token and answers
are JSON. Every error is a problem document (RFC 9457).
"""
