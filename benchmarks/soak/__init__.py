"""The whole product under load for an hour, while one of its processes after another is killed.

``python -m benchmarks.soak --minutes 60`` starts everything as ``make run`` does, on a data folder and a port
of its own, plays each scenario undisturbed, and then again and again while ``faults`` kills and blocks.
``work`` starts runs and imports and holds what became of them to the undisturbed ones, ``viewers`` follow the
runs and miss nothing, ``memory`` watches the processes. ``findings`` collects what broke, and all that was
counted.
"""
