-- Returns the normal form of a tag value, which is compared if a read equals no stored value: upper case and, for
-- identifiers of RFID and BLE tags, without `0x` and the separators between bytes. Other dashes and colons stay, since
-- values that differ only in their positions are different tags, such as beacons with the major and minor 1-11 and
-- 11-1. All barcodes of an article have the same form, however many digits they have (`gtin_form`).
-- `server/things/tags/normal-form.ts` does the same.
--
-- The index `tags_live_normal_form` holds results of this function. A migration that changes them must rebuild that
-- index.
CREATE OR REPLACE FUNCTION tag_normal_form(tag_type text, value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN upper(CASE
    WHEN $1 = 'barcode' THEN gtin_form($2)
    WHEN ($2 COLLATE "C") ~ '^[0-9A-Fa-f]+$' THEN $2
    WHEN ($2 COLLATE "C") ~* '^(0x)?[0-9a-f]{2}([ :-])(0x)?[0-9a-f]{2}(\2(0x)?[0-9a-f]{2})+$'
         OR ($2 COLLATE "C") ~* '^(0x)?[0-9a-f]{4}([ :-][0-9a-f]{4})+$'
         OR ($2 COLLATE "C") ~* '^0x[0-9a-f]+$'
      THEN regexp_replace($2 COLLATE "C", '0x|[ :-]', '', 'gi')
    WHEN $1 = 'ble' AND ($2 COLLATE "C") ~* '^([ :.-]?[0-9a-f]){12}$' THEN translate($2, ' :.-', '')
    ELSE regexp_replace($2 COLLATE "C",
           '^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(?=$|-[0-9]+-[0-9]+$)',
           '\1\2\3\4\5', 'i')
  END COLLATE "C");
