"""Data sets: reading, finding, fetching, generating."""
