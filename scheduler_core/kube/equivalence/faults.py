"""Why a kept answer is not there, or not good."""


class NotKept(Exception):
    """Answers to pods of this class can't be kept: they hang on more than is followed."""


class Outdated(Exception):
    """What was kept is void: more has changed than can be brought up to date."""
