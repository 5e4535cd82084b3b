"""Django's template engine, except that the values of a page are freed as soon as the page is rendered.

Django links the values of a page and their context in a circle. They would be freed only by the garbage
collector, which then spends a tenth of the time of a page with thousands of rows.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends import django as backend
from django.template.context import make_context
from django.utils.safestring import SafeString


class Template(backend.Template):
    """A template whose context is emptied after rendering."""

    def render(self, context: dict[str, Any] | None = None, request: HttpRequest | None = None) -> SafeString:
        """Return the page.

        Args:
            context: the values of the page.
            request: the request that is answered, for the context processors.
        """
        values = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            return self.template.render(values)
        except TemplateDoesNotExist as error:
            backend.reraise(error, self.backend)
            raise
        finally:
            values.dicts.clear()


class DjangoTemplates(backend.DjangoTemplates):
    """Django's template engine with templates of this module."""

    def from_string(self, template_code: str) -> Template:
        """Return a template from its source."""
        return Template(self.engine.from_string(template_code), self)

    def get_template(self, template_name: str) -> Template:
        """Return the template with this name. Raise TemplateDoesNotExist if no file has this
        name.
        """
        try:
            return Template(self.engine.get_template(template_name), self)
        except TemplateDoesNotExist as error:
            backend.reraise(error, self)
            raise
