"""What is said of single cards, in the shape in which REST gives it to the pages."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CardReason:
    """A reason that the scheduler counts, or that stands for a whole node; `of` is card or node."""

    reason: str
    of: str
    means: str


@dataclass(frozen=True)
class CardPolicy:
    """A policy: of what (node or card) it chooses which."""

    of: str
    policy: str
    means: str


@dataclass(frozen=True)
class CardTexts:
    """What is said of cards. The policies are those of the settings; pods may name others."""

    node_policy: str
    card_policy: str
    reasons: list[CardReason]
    policies: list[CardPolicy]
