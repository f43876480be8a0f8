-- name: removeOldContainments
DELETE FROM asset_containments k USING (
  SELECT o.id
  FROM asset_containments o
  WHERE o.until < now() - make_interval(days => $1::int)
  LIMIT $2::int
  FOR UPDATE SKIP LOCKED
) old
WHERE k.id = old.id;
