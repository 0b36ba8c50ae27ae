"""The image of docker/Dockerfile: built without a registry, and run as strictly as hosts run it."""
