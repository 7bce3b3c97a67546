"""Which pods a PodDisruptionBudget's selector covers, by their namespace and labels."""

from scheduler_core.objects.selectors import Selector
from scheduler_core.state.cluster import Budget
from scheduler_core.state.label_classes import LabelClasses


class CoveredClasses:
    """What budgets cover of the classes of pods so far, a companion of their table."""

    def __init__(self) -> None:
        self._budgets: list[Budget] = []
        self._told = 0
        self._of_all: list[tuple[Budget, list[int]]] = []

    def of_all(self, budgets: list[Budget], classes: LabelClasses) -> list[tuple[Budget, list[int]]]:
        """Return the budgets that cover any class, each with its classes; an empty selector covers none."""
        if budgets is not self._budgets or len(classes.members) != self._told:
            self._budgets, self._told = budgets, len(classes.members)
            found = [(one, covered(classes, one.namespace, one.selector)) for one in budgets if one.selector]
            self._of_all = [(budget, places) for budget, places in found if places]
        return self._of_all


def covered(classes: LabelClasses, namespace: str, selector: Selector) -> list[int]:
    """Return the classes, ascending, that a budget covers; never those without labels."""
    return [one for one in classes.selected(namespace, selector) if classes.members[one][1]]
