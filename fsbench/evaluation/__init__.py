"""Folds, metrics and learning curves."""
