"""Settings that say how much may be sent, imported and tried, whoever asks: pages, REST or a shell."""

from dashboard import environment

BODY_LIMIT_BYTES = environment.value("SANDTABLE_BODY_LIMIT_MB") * environment.MEGABYTE
UNPACKED_LIMIT_BYTES = environment.value("SANDTABLE_UNPACKED_LIMIT_MB") * environment.MEGABYTE
ARCHIVE_ENTRY_LIMIT = environment.value("SANDTABLE_ARCHIVE_ENTRY_LIMIT")
ARCHIVE_RATIO_LIMIT = environment.value("SANDTABLE_ARCHIVE_RATIO_LIMIT")
ARCHIVE_DEPTH_LIMIT = environment.value("SANDTABLE_ARCHIVE_DEPTH_LIMIT")
EXTENDERS = environment.value("SANDTABLE_EXTENDERS")
CLUSTERS = environment.value("SANDTABLE_CLUSTERS")
CLUSTER_COMMANDS = environment.value("SANDTABLE_CLUSTER_COMMANDS")
IN_CLUSTER = environment.value("SANDTABLE_IN_CLUSTER")
NODE_LIMIT = environment.value("SANDTABLE_NODE_LIMIT")
EXTENDER_RATE = environment.value("SANDTABLE_EXTENDER_RATE")
POD_LIMIT = environment.value("SANDTABLE_POD_LIMIT")
TRIAL_LIMIT = environment.value("SANDTABLE_TRIAL_LIMIT")
TRIAL_KEPT = environment.value("SANDTABLE_TRIAL_KEPT")
TRIAL_MEMORY_BYTES = environment.value("SANDTABLE_TRIAL_MEMORY_MB") * environment.MEGABYTE
TRIAL_EDIT_LIMIT = environment.value("SANDTABLE_TRIAL_EDIT_LIMIT")
