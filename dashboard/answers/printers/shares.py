"""Two shares as a picture: points on one scale, in whose middle all is held that is deserved."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import Number, Sentence

_WHOLE = 50.0
"""Where 100 percent stands on the scale; it ends at twice as much."""


def shares(cell: Sentence) -> SafeString:
    """Return the picture, the first share hollow, the second filled, and both in words; of none nothing."""
    found = [part.value for part in cell if isinstance(part, Number)]
    if len(found) != 2:
        return SafeString("")
    before, after = (round(min(2.0, share) * _WHOLE, 1) for share in found)
    return format_html(
        '<svg class="shares" viewBox="-5 -6 110 12" aria-hidden="true">'
        '<line class="axis" x1="0" x2="100" y1="0" y2="0"/><path class="whole" d="M50-5v10"/>'
        '<line class="span" x1="{before}" x2="{after}" y1="0" y2="0"/>'
        '<circle class="before" cx="{before}" cy="0" r="3.4"/>'
        '<circle class="after" cx="{after}" cy="0" r="3.4"/></svg>'
        "<span>{words}</span>",
        before=before,
        after=after,
        words=plain(cell),
    )
