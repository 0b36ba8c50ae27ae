"""What proxies do to REST and to streams, and a full disk to the service."""
