"""What a rule took in, a value and how certain it is out: one module a kind of value."""
