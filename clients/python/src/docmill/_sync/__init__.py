# Made from the file of the same name in _async by `npm run generate`.
"""The resources of the synchronous client."""
