"""How the ranker of recommendations is fitted: `python -m training.recommend`."""
