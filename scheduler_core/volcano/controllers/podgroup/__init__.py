"""Volcano's pod group controller. Source: volcano v1.16 pkg/controllers/podgroup."""
