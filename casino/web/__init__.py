"""Code shared by all pages: request parameters, form handling, error pages, middleware, and recording facts
from forms.
"""
