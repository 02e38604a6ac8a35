"""Asset checks by group. Blocking where a wrong table would poison what follows, warnings elsewhere."""
