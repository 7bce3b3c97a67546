"""Instants of a run's clock, and how long things take there, as people read them. Both in milliseconds.

`static/js/debugger/words/units.js` words the clock alike.
"""


def clock(milliseconds: int) -> str:
    """The clock since the run's start: `0:05.010`, `12:00.000`, `1:02:03.500`."""
    seconds, rest = divmod(max(0, milliseconds), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}.{rest:03}"
    return f"{minutes}:{seconds:02}.{rest:03}"


def lasting(milliseconds: int) -> str:
    """How long something takes: `0.01 s`, `12.5 s`, `2 min 14 s`, `1 h 0 min`, `3 days 4 h`."""
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".") + " s"
    seconds = milliseconds // 1000
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if minutes < 60:
        return f"{minutes} min {seconds % 60} s"
    if days < 2:
        return f"{hours} h {minutes % 60} min"
    return f"{days} days {hours % 24} h"
