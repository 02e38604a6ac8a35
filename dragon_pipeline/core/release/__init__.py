"""The four datasets of a day: keyed ids, files, cards, manifests, publication and its verification."""
