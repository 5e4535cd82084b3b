"""The Django project of Catwalk and its back office: users, reference data, money, and web pages. It may
import `audit` and `games`; neither of them imports it.
"""
