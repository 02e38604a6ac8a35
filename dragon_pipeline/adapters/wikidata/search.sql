SELECT entities.code, entities.label, entities.description, names.alias, entities.sitelinks, entities.types
FROM names CROSS JOIN entities ON entities.code = names.code
WHERE names.name = ? AND names.property = ?
ORDER BY names.sitelinks DESC, names.alias, names.code
LIMIT ?;
