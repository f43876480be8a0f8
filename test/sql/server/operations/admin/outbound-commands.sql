-- name: change
DELETE FROM outbound_pause;
-- plan:
--   ModifyTable outbound_pause
--     Seq Scan outbound_pause

-- name: change
INSERT INTO
  outbound_pause
DEFAULT VALUES
ON CONFLICT DO NOTHING;
-- plan:
--   ModifyTable outbound_pause
--     Result
