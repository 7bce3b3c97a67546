"""Volcano v1.16: sessions of actions over jobs and queues. The commit recorded is ed72c7c81."""
