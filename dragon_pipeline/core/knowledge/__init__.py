"""From articles to facts: mentions, triplets, candidates, facts."""
