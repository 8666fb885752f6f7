"""The resources of the asynchronous client."""
