"""What all pages share: request parameters, form handling, error pages, middleware, and recording a fact from
a form.
"""
