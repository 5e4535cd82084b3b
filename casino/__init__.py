"""The Django project and back office: people, places, money and pages. It may import `audit` and `games`;
neither imports it.
"""
