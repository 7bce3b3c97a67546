"""Volcano's job controller. Source: volcano v1.16 pkg/controllers/job, cache, apis."""
