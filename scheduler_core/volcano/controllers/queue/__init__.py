"""Volcano's queue controller. Source: volcano v1.16 pkg/controllers/queue."""
