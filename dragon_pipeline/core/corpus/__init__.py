"""From raw pages to clean articles: addresses, versions, the increment and the stories."""
