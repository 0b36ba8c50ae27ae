"""Tests of REST and streams behind proxies, and of the service with a full disk."""
