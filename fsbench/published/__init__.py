"""The numbers that the papers printed."""
