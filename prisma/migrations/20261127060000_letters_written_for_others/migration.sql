-- Locks: none on tables. The function below is locked until the migration ends; running calls finish with the old version.

-- Returns a text in the form in which search compares texts: texts that look alike are equal. Case is folded by the rules of
-- Unicode, whatever the locale of the database is. A letter with a separate accent, as macOS writes file names, becomes one
-- character; ligatures, letters of full width and special spaces become the ordinary characters (NFKC). The final
-- form of the Greek letter sigma becomes the ordinary form, ß becomes ss, and the Turkish letters İ and ı become i. Invisible
-- characters are removed. `foldText` in `server/kernel/fold-text.ts` does the same; a test compares them.
--
-- The indexes of `search_grams` hold results of this function. A migration that changes them must rebuild these indexes.
--
-- A text of ASCII characters alone is folded without ICU, with the same result in a quarter of the time.
CREATE OR REPLACE FUNCTION fold_case(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN octet_length($1) = char_length($1) THEN lower($1 COLLATE "C")
    ELSE translate(
      replace(
        replace(
          lower(
            normalize(
              translate(
                $1,
                E'\u00AD\u034F\u061C\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2060\u2066\u2067\u2068\u2069\uFE0E\uFE0F\uFEFF',
                ''
              ),
              NFKC
            ) COLLATE "und-x-icu"
          ), 'ß', 'ss'
        ), E'i\u0307', 'i'
      ), 'ςı', 'σi'
    ) COLLATE "C"
  END;
