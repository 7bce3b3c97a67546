"""How long something may take before it is tried again: longer each time, up to a limit."""


class Patience:
    """A number of seconds that doubles with each try in vain, and begins anew once things go well."""

    def __init__(self, first: float, longest: float) -> None:
        self._first, self._longest = first, longest
        self.seconds = first

    def grow(self) -> None:
        """Allow twice as long the next time."""
        self.seconds = min(2 * self.seconds, self._longest)

    def begin_anew(self) -> None:
        """Forget what was in vain."""
        self.seconds = self._first
