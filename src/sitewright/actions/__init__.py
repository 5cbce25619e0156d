"""What a person asks for in, done and told out: what the command line and the web pages both call."""
