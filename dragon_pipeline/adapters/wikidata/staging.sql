-- Rows in the order of the dump; the index takes them sorted.
CREATE TABLE staging.entities (code, label, description, sitelinks, types);
CREATE TABLE staging.names (name, property, sitelinks, alias, code);
CREATE TABLE staging.statements (subject, packed);
