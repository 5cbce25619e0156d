"""Who may ask what: hosts, origins, accounts, tokens, limits."""
