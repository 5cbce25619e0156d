"""The main verbs for assistants: a Model Context Protocol server."""
