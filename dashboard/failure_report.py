"""What Django tells of an uncaught error, on the page of SANDTABLE_DEBUG or by mail: a traceback, no more.

Django's own report shows settings, local variables, cookies and the address; with them come passwords of
databases and brokers, tokens, and sign-in links.
"""

import traceback

from django.utils.html import format_html
from django.views.debug import ExceptionReporter

from dashboard.masking import masked

FRAMES_SHOWN = 50
PAGE = """<!doctype html>
<html lang="en"><title>The server failed</title><h1>The server failed</h1><pre>{}</pre></html>
"""


class FailureReport(ExceptionReporter):
    """The traceback without local variables and secrets."""

    def get_traceback_text(self) -> str:
        """Return the last FRAMES_SHOWN calls and the error."""
        lines = traceback.format_exception(self.exc_value, limit=-FRAMES_SHOWN)
        return masked("".join(lines))

    def get_traceback_html(self) -> str:
        """Return a page with the same text."""
        return format_html(PAGE, self.get_traceback_text())
