"""Template filters for answers: `{{ line.head|said }}` prints a sentence."""

from django import template

from dashboard.answers.printers.html import html

register = template.Library()
register.filter("said", html)
