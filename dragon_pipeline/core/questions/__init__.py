"""From facts to questions: sampling of shapes, writing."""
