"""What a Python program asks for in one line in, done out: the names that `import sitewright` gives."""
