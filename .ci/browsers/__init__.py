"""Browsers against a built binary, behind proxies and without."""
