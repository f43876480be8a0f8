// The statements of the baseline: the simplest statements that use the existing indexes.

const asset = `a.id, a.external_key, a.name, a.description, a.is_active, a.metadata,
  a.valid_from, a.valid_to, a.created_at, a.updated_at, a.deleted_at,
  (SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
     FROM tags t
    WHERE t.org_id = a.org_id AND t.asset_id = a.id) AS tags`;

const effective = `a.deleted_at IS NULL AND a.valid_from <= now() AND (a.valid_to IS NULL OR a.valid_to > now())`;

const find = `SELECT ${asset} FROM assets a WHERE a.org_id = $1 AND a.id = $2 AND a.deleted_at IS NULL`;

const count = `SELECT count(*)::int AS total_count FROM assets a WHERE a.org_id = $1 AND ${effective}`;

/** Sums the counts that the service keeps, instead of counting rows. */
const keptCount = `
  SELECT (sum(n) - (SELECT count(*) FROM assets a
                     WHERE a.org_id = $1 AND a.deleted_at IS NULL AND NOT a.is_expired AND a.valid_to <= now()))::int AS total_count
    FROM row_counts
   WHERE org_id = $1 AND kind = 'asset' AND NOT is_deleted AND NOT is_expired`;

const list = `
  SELECT ${asset}
    FROM (SELECT * FROM assets a WHERE a.org_id = $1 AND ${effective} ORDER BY a.external_key, a.id LIMIT $2 OFFSET $3) a
   ORDER BY a.external_key, a.id`;

const found = `a.org_id = $1 AND ${effective} AND a.id IN (
  SELECT s.id FROM assets s
   WHERE s.org_id = $1 AND s.deleted_at IS NULL
     AND search_grams(s.org_id, search_text(s.name, s.external_key, s.description)) @@ search_query($1, fold_case(trim('%' FROM $2)))
     AND search_text(s.name, s.external_key, s.description) LIKE fold_case($2)
  UNION
  SELECT t.asset_id FROM tags t
   WHERE t.org_id = $1 AND t.deleted_at IS NULL
     AND search_grams(t.org_id, fold_case(t.value)) @@ search_query($1, fold_case(trim('%' FROM $2)))
     AND fold_case(t.value) LIKE fold_case($2))`;

const search = `SELECT ${asset} FROM assets a WHERE ${found} ORDER BY a.external_key, a.id LIMIT $3 OFFSET $4`;

const countFound = `SELECT count(*)::int AS total_count FROM assets a WHERE ${found}`;

const report = `
  SELECT p.asset_id, a.external_key AS asset_external_key, p.location_id, l.external_key AS location_external_key,
         p.asset_last_seen, a.deleted_at AS asset_deleted_at
    FROM asset_positions p
    JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
    LEFT JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL
   WHERE p.org_id = $1 AND ${effective}
   ORDER BY p.asset_last_seen DESC, p.asset_id
   LIMIT $2 OFFSET $3`;

const countReport = `
  SELECT count(*)::int AS total_count
    FROM asset_positions p
    JOIN assets a ON a.org_id = p.org_id AND a.id = p.asset_id
   WHERE p.org_id = $1 AND ${effective}`;

const history = `
  SELECT e.event_observed_at, e.location_id, l.external_key AS location_external_key,
         floor(extract(epoch FROM lag(e.event_observed_at) OVER (ORDER BY e.event_observed_at DESC) - e.event_observed_at))::int AS duration_seconds
    FROM (SELECT * FROM scan_events WHERE org_id = $1 AND asset_id = $2 ORDER BY event_observed_at DESC LIMIT $3) e
    LEFT JOIN locations l ON l.org_id = e.org_id AND l.id = e.location_id AND l.deleted_at IS NULL
   ORDER BY e.event_observed_at DESC`;

const countHistory = `SELECT count(*)::int AS total_count FROM scan_events WHERE org_id = $1 AND asset_id = $2`;

const create = `
  WITH a AS (
    INSERT INTO assets (org_id, external_key, name, description, metadata, valid_from, created_at, updated_at)
    SELECT $1, mint_key($1, 'asset'), $2, $3, $4, now, now, now
      FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) clock
    RETURNING *
  ), t AS (
    INSERT INTO tags (org_id, asset_id, tag_type, value)
    SELECT a.org_id, a.id, given.tag_type, given.value
      FROM a, unnest($5::text[], $6::text[]) AS given (tag_type, value)
    RETURNING id, tag_type, value
  )
  SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata,
         a.valid_from, a.valid_to, a.created_at, a.updated_at, a.deleted_at,
         (SELECT coalesce(json_agg(json_build_object('id', id, 'tag_type', tag_type, 'value', value) ORDER BY id), '[]') FROM t) AS tags
    FROM a`;

const change = `
  UPDATE assets a
     SET name = $3,
         description = $4,
         updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), a.updated_at + interval '1 millisecond')
   WHERE a.org_id = $1 AND a.id = $2 AND a.deleted_at IS NULL
  RETURNING ${asset}`;

/** By the name under which they are prepared. */
export const statements = {
  find,
  count,
  keptCount,
  list,
  search,
  countFound,
  report,
  countReport,
  history,
  countHistory,
  create,
  change,
};
