-- Locks: none on tables.

-- The order in which the app lists names and keys, as people sort them: letters with accents beside those without, small beside
-- capital letters, and numbers by their value. Equal texts are ordered by their bytes.
CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true');
