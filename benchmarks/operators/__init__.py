"""Clusters as their operators have them, for whoever wants to see what the product makes of one."""
