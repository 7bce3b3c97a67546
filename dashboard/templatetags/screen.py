"""Template tags for what every page shows: icons, the current place in the navigation, links by name."""

from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from dashboard.queries.glossary import term_called

register = template.Library()


@cache
def icon_markup(name: str) -> str:
    """Return the inner markup of a vendored Lucide icon; KeyError-like failure when it is not vendored."""
    source = (Path(settings.BASE_DIR) / "static" / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    start = source.index(">", source.index("<svg")) + 1
    return " ".join(source[start : source.rindex("</svg>")].split())


@register.simple_tag
def icon(name: str, extra_class: str = "") -> SafeString:
    """Draw a vendored icon inline, in the colour of its text and hidden from assistive technology."""
    return format_html(
        '<svg class="icon lucide-{} {}" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
        ' stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">{}</svg>',
        name,
        extra_class,
        mark_safe(icon_markup(name)),  # noqa: S308 - a file of this repository
    )


@register.simple_tag
def here(request: HttpRequest, name: str) -> SafeString:
    """Mark a navigation link as current when the request's address lies below it."""
    address = reverse(name)
    return mark_safe(' aria-current="page"') if request.path.startswith(address) else mark_safe("")


@register.simple_tag(takes_context=True)
def cluster_at_hand(context: Any) -> SafeString:
    """Say in an attribute which cluster the page is about, if it is about one: what is found is in that."""
    snapshot, run = context.get("snapshot"), context.get("run")
    number = getattr(snapshot, "pk", None) or getattr(run, "snapshot_id", None)
    return format_html(' data-snapshot="{}"', number) if number else mark_safe("")


@register.simple_tag
def term(word: str) -> SafeString | str:
    """Print a word as a button that says what it means; one that the glossary has not, as it is."""
    found = term_called(word)
    if found is None:
        return word
    served = '<button type="button" class="term" data-term="{}" data-scripted disabled>{}</button>'
    return format_html(served, found.term, word)


@register.simple_tag
def named_link(name: str, text: str) -> SafeString:
    """Link to a named address, or nothing when this installation has no such page."""
    try:
        return format_html('<a href="{}">{}</a>', reverse(name), text)
    except NoReverseMatch:
        return mark_safe("")


@register.simple_tag
def sign_out_address() -> str:
    """Return where a sign-out is posted to, or an empty string."""
    try:
        return reverse("sign-out")
    except NoReverseMatch:
        return ""
