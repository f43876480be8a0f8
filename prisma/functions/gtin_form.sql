-- Returns the 14-digit GTIN of an article, so that its barcodes with 8, 12, 13 and 14 digits are equal: EAN-8, UPC-A,
-- EAN-13 and GTIN-14. Any other number, or a number with a wrong check digit, is returned unchanged.
-- `server/things/tags/gtin.ts` does the same.
CREATE OR REPLACE FUNCTION gtin_form(value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN ($1 COLLATE "C") !~ '^([0-9]{8}|[0-9]{12,14})$' THEN $1
    WHEN (SELECT sum(substr(lpad($1, 14, '0'), place, 1)::int * CASE WHEN place % 2 = 1 THEN 3 ELSE 1 END) % 10
            FROM generate_series(1, 14) AS place) = 0 THEN lpad($1, 14, '0')
    ELSE $1
  END;
