INSERT INTO main.entities SELECT code, label, description, sitelinks, types FROM staging.entities ORDER BY code;
DROP TABLE staging.entities;
INSERT INTO main.statements SELECT subject, packed FROM staging.statements ORDER BY subject;
DROP TABLE staging.statements;
INSERT INTO main.names
SELECT name, property, sitelinks, alias, code FROM staging.names ORDER BY name, property, sitelinks DESC, alias, code;
DROP TABLE staging.names;
