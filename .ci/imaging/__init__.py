"""The image of docker/Dockerfile, built without a registry and run with the strictest settings that hosts use."""
