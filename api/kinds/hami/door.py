"""What HAMi has in front of Django: questions to extenders."""

from api.kinds.hami.extender.door import ExtenderDoor

DOOR = ExtenderDoor
