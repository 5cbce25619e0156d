"""Speed and memory beside the peers, and mutated pages through the whole pipeline."""
