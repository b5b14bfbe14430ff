"""Experiments: configuration, plan, workers, store."""
