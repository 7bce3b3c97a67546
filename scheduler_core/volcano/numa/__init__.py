"""The NUMA nodes within nodes, as the plugin numa-aware knows them."""
