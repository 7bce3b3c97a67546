"""Reads single values of a query; what cannot be read is refused with the parameter's name."""

from collections.abc import Sequence
from typing import Any, TypeVar

from rest_framework.exceptions import ValidationError

MAX_TEXT_LENGTH = 1_000
Choice = TypeVar("Choice", bound=str)
Default = TypeVar("Default", str, None)

BOOLEANS = {"true": True, "1": True, "false": False, "0": False, "": False}


def read_boolean(query: Any, name: str) -> bool:
    """Return a flag; false if it is missing."""
    text = query.get(name, "").lower()
    if text not in BOOLEANS:
        raise ValidationError({name: "Must be true or false."})
    return BOOLEANS[text]


def read_choice(query: Any, name: str, choices: Sequence[Choice], default: Default) -> Choice | Default:
    """Return one of the choices, or the default if the parameter is missing."""
    text = query.get(name)
    if not text or text == default:
        return default
    found = next((choice for choice in choices if choice == text), None)
    if found is None:
        raise ValidationError({name: f"Must be one of {', '.join(choices)}."})
    return found


def read_text(query: Any, name: str) -> str | None:
    """Return a text without null characters, or None if it is missing or empty."""
    text = query.get(name)
    if not text:
        return None
    if "\x00" in text or len(text) > MAX_TEXT_LENGTH:
        raise ValidationError({name: f"Must have at most {MAX_TEXT_LENGTH:,} characters, none of them null."})
    return str(text)


def read_integer(query: Any, name: str, default: int | None, minimum: int, maximum: int) -> Any:
    """Return a whole number, or the default if the parameter is missing."""
    text = query.get(name)
    if text is None or text == "":
        return default
    digits = text.removeprefix("-")
    readable = digits.isascii() and digits.isdigit() and len(digits) <= 18
    if not readable or not minimum <= int(text) <= maximum:
        raise ValidationError({name: f"Must be a whole number from {minimum:,} to {maximum:,}."})
    return int(text)
