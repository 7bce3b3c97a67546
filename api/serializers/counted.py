"""What the amounts of a resource count by which cards are shared."""

from typing import Any

from rest_framework import serializers

from dashboard.kinds.cards import ONE_CARD, SLOTS


class CountsField(serializers.ChoiceField):
    """Slots of shared cards, or what each container asks of one card; absent of all other resources."""

    def __init__(self, **options: Any) -> None:
        text = "Where cards are shared by it: slots of cards, or what each container asks of one card."
        super().__init__(choices=[SLOTS, ONE_CARD], required=False, help_text=text, **options)
