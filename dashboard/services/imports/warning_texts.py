"""Parts of an import's warnings that come from files: none may look like the kubectl line of others.

Pages find that line by `: kubectl ` (`before_command` in `dashboard/templatetags/figures.py`) and offer to
copy it.
"""


def unbroken(name: str) -> str:
    """Return a name with unbroken spaces in place of plain ones."""
    return name.replace(" ", "\u00a0")


def without_command(sentence: str) -> str:
    """Return a sentence in which nothing reads as a kubectl line."""
    return sentence.replace(": kubectl ", ":\u00a0kubectl ")
