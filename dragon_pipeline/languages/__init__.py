"""Languages: segmentation, entities, morphology, extraction rules and wording."""
