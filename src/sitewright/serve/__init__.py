"""What people see in a browser, and what programs ask over HTTP: pages and an API over `actions/`, nothing beside."""
