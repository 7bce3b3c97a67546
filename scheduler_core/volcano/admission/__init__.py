"""What Volcano's admission webhooks answer: defaults for new objects, and whether an object is let in.

`webhooks.py` lists them; one file for each resource and verb holds its rules. The texts are those of the
release that was recorded.
"""
