-- name: removeSurplusUnknownTags
DELETE FROM unknown_tags
WHERE id IN (
  SELECT u.id
  FROM unknown_tags u
  WHERE u.org_id = $1::int
  ORDER BY u.count > 1, u.last_seen, u.id
  LIMIT (
    SELECT CASE WHEN count(*) > $2::int THEN count(*) - $3::int ELSE 0 END
    FROM unknown_tags
    WHERE org_id = $4::int
  )
  FOR UPDATE SKIP LOCKED
);

-- name: removeAllSurplusUnknownTags
SELECT org_id
FROM unknown_tags
GROUP BY org_id
HAVING count(*) > $1::int;
