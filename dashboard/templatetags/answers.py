"""Template filters for answers: `{{ line.head|said }}` prints a sentence."""

from django import template

from dashboard.answers.printers.html import html
from dashboard.answers.printers.words import named

register = template.Library()
register.filter("said", html)
register.filter("name_said", named)
