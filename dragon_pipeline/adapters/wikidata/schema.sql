-- An index of Wikidata. `code` is twice an id's number, one more for a property: Q42 is 84, P31 is 63.
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entities (
    code INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    description TEXT NOT NULL,
    sitelinks INTEGER NOT NULL,
    types TEXT NOT NULL  -- ids, a space between them
);
-- In the order of its answers, so that the best known of many namesakes cost one walk.
CREATE TABLE names (
    name TEXT NOT NULL,  -- folded
    property INTEGER NOT NULL,
    sitelinks INTEGER NOT NULL,
    alias INTEGER NOT NULL,
    code INTEGER NOT NULL,
    PRIMARY KEY (name, property, sitelinks DESC, alias, code)
) WITHOUT ROWID;
CREATE TABLE statements (subject INTEGER PRIMARY KEY, packed NOT NULL);  -- code; see packing.py
