"""Answers as HTML: sentences and pips, escaped, each name a link where it leads anywhere.

Pages put these into their templates by `{% load answers %}` (templatetags/answers.py).
"""

from collections.abc import Callable, Iterable

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from dashboard.answers.printers.links import address, address_in_file
from dashboard.answers.printers.node_names import Cut
from dashboard.answers.printers.words import counted, named, worded
from dashboard.answers.sentence import Name, Names, Number, Part, Sentence, Text, Words

WHOLE = Cut()
To = Callable[[Name | Number], str]


def html(parts: Sentence, cut: Cut = WHOLE) -> SafeString:
    """Return a sentence as HTML; `cut` is what names of nodes go without."""
    return _joined(_part(part, cut, address) for part in parts)


def html_of_file(parts: Sentence, cut: Cut = WHOLE) -> SafeString:
    """Return the same for a file that is read without a server: links lead to its own tables alone."""
    return _joined(_part(part, cut, address_in_file) for part in parts)


def _part(part: Part, cut: Cut, to: To) -> SafeString:
    match part:
        case Text(text, strong):
            return format_html("<b>{}</b>", text) if strong else escape(text)
        case Words(words):
            return format_html('<q class="words">{}</q>', words)
        case Name():
            return _name(part, cut, to)
        case Number():
            return _number(part, to)
        case Names():
            return _names(part, cut, to)


def _name(name: Name, cut: Cut, to: To) -> SafeString:
    """Return a name: its namespace light, itself bold; numbers of decisions and runs as they are."""
    if name.kind in ("decision", "run", "resource"):
        inside = escape(named(name))
    elif name.namespace:
        inside = format_html('<span class="space">{}/</span><b>{}</b>', name.namespace, name.name)
    elif name.kind == "node" and (short := cut.short(name.name)) != name.name:
        inside = format_html('<b title="{}">{}</b>', name.name, short)
    else:
        inside = format_html("<b>{}</b>", name.name)
    return _linked(inside, to(name))


def _number(part: Number, to: To) -> SafeString:
    words = escape(worded(part))
    inside = format_html("<b>{}</b>", words) if part.strong else words
    return _linked(inside, to(part))


def _names(part: Names, cut: Cut, to: To) -> SafeString:
    names = [_name(name, cut, to) for name in part.names]
    if part.others:
        names.append(format_html("{} {}", f"{part.others:,}", counted(part.others, "other")))
    if len(names) < 2:
        return _joined(names)
    return format_html("{} and {}", format_html_join(", ", "{}", ((name,) for name in names[:-1])), names[-1])


def _linked(inside: SafeString, found: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', found, inside) if found else inside


def _joined(parts: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))
