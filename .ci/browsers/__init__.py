"""Tests of a built binary with browsers, with and without proxies."""
