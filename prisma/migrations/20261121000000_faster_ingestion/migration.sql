-- Ingestion that costs less for an asset that is read again and again, and that tells whoever listens what moved.

ALTER TABLE asset_positions
  -- The observed instant since which the asset is at its present location.
  ADD COLUMN located_since timestamptz(3),
  -- The newest event, where it is known and its location is that of the position; null tells to ask the events.
  ADD COLUMN last_event_at timestamptz(3),
  -- Ten seconds of `asset_last_seen` each. Lists by time are walked by slot and sorted within: with an index on the
  -- instant itself, every read of a parked asset would cost an entry in each index of the table.
  ADD COLUMN seen_slot int NOT NULL
    GENERATED ALWAYS AS (floor(date_part('epoch', asset_last_seen AT TIME ZONE 'UTC') / 10)::int) STORED;
UPDATE asset_positions SET located_since = asset_last_seen;
ALTER TABLE asset_positions ALTER COLUMN located_since SET NOT NULL;

DROP INDEX asset_positions_org_id_asset_last_seen_asset_id_idx;
CREATE INDEX asset_positions_org_id_seen_slot_idx ON asset_positions (org_id, seen_slot DESC);
-- Room beside each row for its next version.
ALTER TABLE asset_positions SET (fillfactor = 60);

-- Led by the normal form, so that nobody looks an exact value up in it by organisation and type alone, which is all tags of
-- the organisation: without statistics, as in a new database, the planner cannot tell the two indexes apart.
DROP INDEX tags_live_normal_form;
CREATE INDEX tags_live_normal_form ON tags (tag_normal_form(tag_type, value), org_id, tag_type) WHERE deleted_at IS NULL;

-- As before to whoever calls it. Its arrays:
--   heard   a reader that sent something, and when it was received last
--   place   an antenna of a reader that something was read at
--   tag     a tag value that was read
--   read    which tag at which place; strength in dBm or null; the reader's own time or null, and the time of receipt
--   rejected  a message that could not be understood; its payload as base64
-- Times are epoch milliseconds. Arrays that are indexed below hold no nulls: only then is an element found in one step.
--
-- While an organisation's tree is being changed its reads have to wait. Unless told to, a batch does not: it does nothing
-- and answers `busy_orgs`, so that the reads of the others can go ahead.
CREATE OR REPLACE FUNCTION ingest_reads(
  heard_orgs int[], heard_readers int[], heard_times float8[],
  place_orgs int[], place_readers int[], place_antennas int[],
  tag_orgs int[], tag_types text[], tag_values text[],
  read_places int[], read_tags int[], read_strengths real[], read_times float8[], read_receipts float8[],
  rejected_readers int[], rejected_topics text[], rejected_reasons text[], rejected_payloads text[], rejected_times float8[],
  retention_days int, wait_for_trees boolean,
  OUT busy_orgs int[], OUT gone_readers int[], OUT stored_events int, OUT thinned_reads int, OUT weak_reads int, OUT unknown_reads int
) LANGUAGE plpgsql
-- A connection plans each statement once. Planned while a table is empty, it would read all of it for every row later on.
SET enable_seqscan = off
AS $$
DECLARE
  tree_lock CONSTANT int := 3;
  ahead_max_ms CONSTANT float8 := 5000;
  retention_ms CONSTANT float8 := retention_days * 86400000.0;
  no_location CONSTANT int := 0;
  unseen CONSTANT int := -1;
  own_tag CONSTANT int := 0;
  unknown_tag CONSTANT int := -1;
  -- When an asset was seen whose first position is being made, and when the newest event was that has to be looked up.
  never CONSTANT float8 := 0;
  unknown CONSTANT float8 := 'Infinity';
  announced_ids_max CONSTANT int := 500;
  -- By place.
  place_live boolean[]; place_locations int[]; place_minima int[]; place_resolutions int[]; place_uses_receipt boolean[];
  -- By tag: the asset it is attached to, or one of the two constants above.
  tag_assets int[];
  -- The reads that are some asset's, by asset and time; `s_no` is the asset's place among the assets below. Whether the
  -- location is another one than before, and whether the read becomes an event.
  s_no int[]; s_at float8[]; s_place int[]; s_rssi real[]; s_received float8[]; s_turns boolean[]; s_keep boolean[];
  -- The assets in the order of their ids, and their positions; `unseen` is the location of those without.
  a_org int[]; a_asset int[]; a_row tid[]; a_seen float8[]; a_location int[]; a_event_at float8[];
  new_assets int[]; walked int[]; moved_orgs int[]; moved_assets int[];
  widest_ms float8;
  has_late boolean;
  are_fresh_stored boolean := true;
  late_events int := 0;
  entry record;
  previous_no int := 0;
  previous_at float8;
  previous_location int;
BEGIN
  stored_events := 0;
  thinned_reads := 0;
  weak_reads := 0;
  unknown_reads := 0;

  -- No location is deleted from here on to the end of the transaction. In the order of the ids, as everybody does.
  IF wait_for_trees THEN
    PERFORM pg_advisory_xact_lock_shared(tree_lock, o.org_id)
       FROM (SELECT DISTINCT u.org_id FROM unnest(heard_orgs) AS u (org_id) ORDER BY 1) o;
  ELSE
    SELECT array_agg(o.org_id)
      INTO busy_orgs
      FROM (SELECT DISTINCT u.org_id FROM unnest(heard_orgs) AS u (org_id) ORDER BY 1) o
     WHERE NOT pg_try_advisory_xact_lock_shared(tree_lock, o.org_id);
    IF busy_orgs IS NOT NULL THEN
      RETURN;
    END IF;
  END IF;

  SELECT coalesce(array_agg(h.reader_id), '{}')
    INTO gone_readers
    FROM unnest(heard_orgs, heard_readers) AS h (org_id, reader_id)
   WHERE NOT EXISTS (
     SELECT FROM readers r WHERE r.id = h.reader_id AND r.org_id = h.org_id AND r.deleted_at IS NULL);

  IF cardinality(rejected_readers) > 0 THEN
    INSERT INTO rejected_messages (org_id, reader_id, topic, reason, payload, received_at)
    SELECT r.org_id, r.id, g.topic, g.reason, decode(g.payload, 'base64'), to_timestamp(g.at / 1000)
      FROM unnest(rejected_readers, rejected_topics, rejected_reasons, rejected_payloads, rejected_times)
           AS g (reader_id, topic, reason, payload, at)
      JOIN readers r ON r.id = g.reader_id AND r.deleted_at IS NULL;
  END IF;

  -- A sign of life need not be exact to the second, and waits for nobody who is changing the reader.
  UPDATE readers r
     SET last_message_at = to_timestamp(h.at / 1000)
    FROM (SELECT l.id, g.at
            FROM unnest(heard_readers, heard_times) AS g (reader_id, at)
            JOIN readers l ON l.id = g.reader_id
             AND (l.last_message_at IS NULL OR l.last_message_at < to_timestamp(g.at / 1000) - interval '1 second')
           ORDER BY l.id
             FOR NO KEY UPDATE OF l SKIP LOCKED) h
   WHERE r.id = h.id;

  IF cardinality(read_tags) = 0 THEN
    RETURN;
  END IF;

  -- An antenna without a live location uses the reader's, if that is live.
  SELECT array_agg(r.id IS NOT NULL ORDER BY p.no),
         array_agg(coalesce(al.id, rl.id, no_location) ORDER BY p.no),
         array_agg(coalesce(a.min_rssi_dbm, -1000) ORDER BY p.no),
         array_agg(coalesce(r.resolution_seconds, 0) ORDER BY p.no),
         array_agg(coalesce(r.use_receipt_time, false) ORDER BY p.no)
    INTO place_live, place_locations, place_minima, place_resolutions, place_uses_receipt
    FROM unnest(place_orgs, place_readers, place_antennas) WITH ORDINALITY AS p (org_id, reader_id, antenna, no)
    LEFT JOIN readers r ON r.id = p.reader_id AND r.org_id = p.org_id AND r.deleted_at IS NULL
    LEFT JOIN reader_antennas a ON a.reader_id = r.id AND a.port = p.antenna
    LEFT JOIN locations al ON al.org_id = r.org_id AND al.id = a.location_id AND al.deleted_at IS NULL
    LEFT JOIN locations rl ON rl.org_id = r.org_id AND rl.id = r.location_id AND rl.deleted_at IS NULL;

  -- A value matches as it is stored, otherwise by normal form. A live tag has a live parent. The sums keep the planner from
  -- other indexes: ordered by a mere id it would walk all tags by it, and by a mere organisation all tags of that.
  SELECT array_agg(CASE
           WHEN e.id IS NOT NULL THEN coalesce(e.asset_id, own_tag)
           WHEN n.id IS NOT NULL THEN coalesce(n.asset_id, own_tag)
           ELSE unknown_tag
         END ORDER BY g.no)
    INTO tag_assets
    FROM unnest(tag_orgs, tag_types, tag_values) WITH ORDINALITY AS g (org_id, type, value, no)
    LEFT JOIN LATERAL (
      SELECT t.id, t.asset_id
        FROM tags t
       WHERE t.org_id = g.org_id AND t.tag_type = g.type AND t.value = g.value AND t.deleted_at IS NULL
       LIMIT 1
    ) e ON true
    LEFT JOIN LATERAL (
      SELECT t.id, t.asset_id
        FROM tags t
       WHERE e.id IS NULL
         AND t.org_id + 0 = g.org_id AND t.tag_type = g.type
         AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(g.type, g.value) AND t.deleted_at IS NULL
       ORDER BY t.id + 0
       LIMIT 1
    ) n ON true;

  -- Of reads of one asset in one millisecond the first one counts.
  WITH timed AS (
    SELECT g.place, g.tag, g.rssi, g.received, g.no, tag_assets[g.tag] AS asset_id,
           round(CASE
             WHEN NOT place_uses_receipt[g.place]
              AND g.observed <= g.received + ahead_max_ms
              AND g.observed >= g.received - retention_ms
             THEN g.observed
             ELSE g.received
           END) AS at
      FROM unnest(read_places, read_tags, read_strengths, read_times, read_receipts)
           WITH ORDINALITY AS g (place, tag, rssi, observed, received, no)
     WHERE place_live[g.place]
       AND (g.rssi IS NULL OR g.rssi >= place_minima[g.place])
  ), counted AS (
    -- In the order of the key, so that two batches never wait for each other in a circle.
    INSERT INTO unknown_tags AS u (org_id, tag_type, value, reader_id, antenna, count, first_seen, last_seen)
    SELECT tag_orgs[s.tag], tag_types[s.tag], tag_values[s.tag], place_readers[s.place], place_antennas[s.place],
           count(*), to_timestamp(min(s.at) / 1000), to_timestamp(max(s.at) / 1000)
      FROM timed s
     WHERE s.asset_id = unknown_tag
     GROUP BY 1, 2, 3, 4, 5
     ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (org_id, tag_type, value, reader_id, antenna) DO UPDATE
       SET count = u.count + EXCLUDED.count,
           first_seen = least(u.first_seen, EXCLUDED.first_seen),
           last_seen = greatest(u.last_seen, EXCLUDED.last_seen)
  ), sorted AS (
    SELECT s.asset_id, s.at, s.place, s.rssi, s.received,
           lag(s.asset_id) OVER w IS DISTINCT FROM s.asset_id AS is_first,
           lag(s.asset_id) OVER w IS NOT DISTINCT FROM s.asset_id AND lag(s.at) OVER w = s.at AS is_again
      FROM timed s
     WHERE s.asset_id > 0
    WINDOW w AS (ORDER BY s.asset_id, s.at, s.no)
  ), numbered AS (
    SELECT k.*, count(*) FILTER (WHERE k.is_first) OVER (ROWS UNBOUNDED PRECEDING) AS no FROM sorted k
  )
  SELECT array_agg(k.no) FILTER (WHERE NOT k.is_again), array_agg(k.at) FILTER (WHERE NOT k.is_again),
         array_agg(k.place) FILTER (WHERE NOT k.is_again), array_agg(k.rssi) FILTER (WHERE NOT k.is_again),
         array_agg(k.received) FILTER (WHERE NOT k.is_again),
         array_agg(place_orgs[k.place]) FILTER (WHERE k.is_first), array_agg(k.asset_id) FILTER (WHERE k.is_first),
         max(place_resolutions[k.place]) * 1000, count(*) FILTER (WHERE k.is_again),
         (SELECT count(*) FROM timed s WHERE s.asset_id = unknown_tag),
         (SELECT count(*) FROM unnest(read_places) AS g (place) WHERE place_live[g.place]) - (SELECT count(*) FROM timed)
    INTO s_no, s_at, s_place, s_rssi, s_received, a_org, a_asset, widest_ms, thinned_reads, unknown_reads, weak_reads
    FROM numbered k;
  IF a_asset IS NULL THEN
    RETURN;
  END IF;

  -- Whoever holds an asset's position is alone with that asset until the end, and sees every event that counts. The rows
  -- are taken in the order of the ids; where there is none, it is made first.
  LOOP
    SELECT array_agg(coalesce(p.ctid, '(0,0)') ORDER BY u.no),
           array_agg(coalesce(p.seen, never) ORDER BY u.no),
           array_agg(CASE WHEN p.seen > never THEN coalesce(p.location_id, no_location) ELSE unseen END ORDER BY u.no),
           array_agg(coalesce(p.event_at, unknown) ORDER BY u.no),
           array_agg(u.asset_id ORDER BY u.no) FILTER (WHERE p.seen IS NULL)
      INTO a_row, a_seen, a_location, a_event_at, new_assets
      FROM unnest(a_org, a_asset) WITH ORDINALITY AS u (org_id, asset_id, no)
      LEFT JOIN LATERAL (
        SELECT r.ctid, r.location_id, round(date_part('epoch', r.asset_last_seen) * 1000) AS seen,
               round(date_part('epoch', r.last_event_at) * 1000) AS event_at
          FROM asset_positions r
         WHERE r.org_id = u.org_id AND r.asset_id = u.asset_id
           FOR NO KEY UPDATE) p ON true;
    EXIT WHEN new_assets IS NULL;
    INSERT INTO asset_positions (org_id, asset_id, asset_last_seen, located_since)
    SELECT u.org_id, u.asset_id, to_timestamp(never), to_timestamp(never)
      FROM unnest(a_org, a_asset) AS u (org_id, asset_id)
     WHERE u.asset_id = ANY (new_assets)
     ORDER BY u.asset_id
    ON CONFLICT (org_id, asset_id) DO NOTHING;
    -- An asset that is being deleted: the batch is to be tried again and will find it deleted.
    PERFORM FROM (SELECT a.deleted_at FROM assets a WHERE a.id = ANY (new_assets) ORDER BY a.id FOR KEY SHARE) a
      WHERE a.deleted_at IS NOT NULL;
    IF FOUND THEN
      RAISE EXCEPTION 'an asset was deleted while it was read' USING ERRCODE = 'serialization_failure';
    END IF;
  END LOOP;

  -- Where an asset comes to, it has an event; where it stays, the first read far enough from the event before. What follows
  -- such a read in the same batch, late reads, and reads whose event before is not known are left to the walk below.
  WITH reads AS (
    SELECT s.i, s.no, s.at, place_locations[s.place] AS location_id, place_resolutions[s.place] * 1000 AS resolution_ms,
           CASE WHEN lag(s.no) OVER w = s.no AND lag(s.at) OVER w > a_seen[s.no]
                THEN place_locations[lag(s.place) OVER w] ELSE a_location[s.no] END AS before
      FROM unnest(s_no, s_at, s_place) WITH ORDINALITY AS s (no, at, place, i)
    WINDOW w AS (ORDER BY s.i)
  ), anchored AS (
    SELECT r.*, coalesce(max(r.at) FILTER (WHERE r.location_id <> r.before OR r.resolution_ms = 0) OVER w, a_event_at[r.no]) AS anchor
      FROM reads r
    WINDOW w AS (PARTITION BY r.no ORDER BY r.i ROWS UNBOUNDED PRECEDING)
  )
  SELECT array_agg(n.location_id <> n.before ORDER BY n.i),
         array_agg(n.at = n.anchor OR n.at - n.anchor >= n.resolution_ms ORDER BY n.i),
         (SELECT array_agg(g.no)
            FROM (SELECT m.no FROM anchored m
                   GROUP BY m.no
                  HAVING bool_or(m.at <= a_seen[m.no]) OR bool_or(m.anchor = unknown)
                      OR count(*) FILTER (WHERE m.at > m.anchor AND m.at - m.anchor >= m.resolution_ms) > 1) g
           WHERE widest_ms > 0),
         bool_or(n.at <= a_seen[n.no])
    INTO s_turns, s_keep, walked, has_late
    FROM anchored n;

  IF walked IS NOT NULL THEN
    -- The reads amid the stored events around them. Reads further apart than the resolution are looked up apart, so
    -- that one late read does not fetch the history of a day.
    FOR entry IN
      WITH numbered AS (
        SELECT s.no, s.at, place_locations[s.place] AS location_id, place_resolutions[s.place] * 1000 AS resolution_ms, s.i,
               CASE WHEN s.no = lag(s.no) OVER w AND s.at - lag(s.at) OVER w <= widest_ms THEN 0 ELSE 1 END AS starts
          FROM unnest(s_no, s_at, s_place) WITH ORDINALITY AS s (no, at, place, i)
         WHERE s.no = ANY (walked)
        WINDOW w AS (ORDER BY s.i)
      ), runs AS (
        SELECT n.no, to_timestamp((min(n.at) - widest_ms) / 1000) AS since, to_timestamp(max(n.at) / 1000) AS until
          FROM (SELECT *, sum(starts) OVER (ORDER BY i) AS run FROM numbered) n
         GROUP BY n.no, n.run
      )
      SELECT n.no, n.at, n.location_id, n.resolution_ms, n.i::int AS i
        FROM numbered n
      UNION ALL
      SELECT r.no, e.at, e.location_id, 0, 0
        FROM runs r
       CROSS JOIN LATERAL (
         SELECT round(date_part('epoch', v.event_observed_at) * 1000) AS at, coalesce(v.location_id, no_location) AS location_id
           FROM scan_events v
          WHERE v.org_id = a_org[r.no] AND v.asset_id = a_asset[r.no]
            AND v.event_observed_at > r.since AND v.event_observed_at <= r.until
         OFFSET 0) e
      ORDER BY 1, 2, 5
    LOOP
      IF entry.no <> previous_no THEN
        previous_no := entry.no;
        previous_at := NULL;
      ELSIF entry.at = previous_at THEN
        s_keep[entry.i] := false;
        CONTINUE;
      END IF;
      IF entry.i > 0 THEN
        s_keep[entry.i] := coalesce(entry.location_id <> previous_location
                                    OR entry.at - previous_at >= entry.resolution_ms, true);
        CONTINUE WHEN NOT s_keep[entry.i];
      END IF;
      previous_at := entry.at;
      previous_location := entry.location_id;
    END LOOP;
  END IF;

  -- Positions move forward only. The newest event is known unless it is a late one, which may be of another location.
  WITH latest AS (
    SELECT s.no, max(s.at) AS at, s_place[max(s.i)] AS place,
           max(s.at) FILTER (WHERE s.turns AND s.at > a_seen[s.no]) AS turned_at,
           max(s.at) FILTER (WHERE s.keep) AS event_at
      FROM unnest(s_no, s_at, s_turns, s_keep) WITH ORDINALITY AS s (no, at, turns, keep, i)
     GROUP BY s.no
  ), moved AS (
    UPDATE asset_positions p
       SET location_id = nullif(place_locations[l.place], no_location),
           reader_id = place_readers[l.place],
           antenna = place_antennas[l.place],
           asset_last_seen = to_timestamp(l.at / 1000),
           located_since = coalesce(to_timestamp(l.turned_at / 1000), p.located_since),
           last_event_at = CASE WHEN l.event_at > a_seen[l.no] THEN to_timestamp(l.event_at / 1000)
                                WHEN l.event_at > a_event_at[l.no] THEN NULL
                                ELSE p.last_event_at END
      FROM latest l
     WHERE p.ctid = a_row[l.no] AND l.at > a_seen[l.no]
    RETURNING p.org_id, p.asset_id
  ), late AS (
    UPDATE asset_positions p
       SET last_event_at = NULL
      FROM latest l
     WHERE p.ctid = a_row[l.no] AND l.at <= a_seen[l.no] AND l.event_at > a_event_at[l.no]
  )
  SELECT array_agg(m.org_id), array_agg(m.asset_id) INTO moved_orgs, moved_assets FROM moved m;

  -- Told to whoever listens when this is committed. A notification has to be shorter than 8000 bytes.
  PERFORM pg_notify('whereabouts_positions', g.org_id || ':' || string_agg(g.asset_id::text, ','))
     FROM (SELECT m.org_id, m.asset_id, row_number() OVER (PARTITION BY m.org_id) / announced_ids_max AS portion
             FROM unnest(moved_orgs, moved_assets) AS m (org_id, asset_id)) g
    GROUP BY g.org_id, g.portion;

  -- A read newer than everything seen of its asset meets no event of the same instant, and nobody has to look for one.
  BEGIN
    INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, reader_id, antenna, rssi_dbm, received_at)
    SELECT a_org[s.no], a_asset[s.no], to_timestamp(s.at / 1000), nullif(place_locations[s.place], no_location),
           place_readers[s.place], place_antennas[s.place], s.rssi, to_timestamp(s.received / 1000)
      FROM unnest(s_no, s_at, s_place, s_rssi, s_received, s_keep) AS s (no, at, place, rssi, received, keep)
     WHERE s.keep AND s.at > a_seen[s.no];
    GET DIAGNOSTICS stored_events = ROW_COUNT;
  EXCEPTION WHEN unique_violation THEN
    -- There are events that no position knows of.
    are_fresh_stored := false;
  END;
  IF has_late OR NOT are_fresh_stored THEN
    INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, reader_id, antenna, rssi_dbm, received_at)
    SELECT a_org[s.no], a_asset[s.no], to_timestamp(s.at / 1000), nullif(place_locations[s.place], no_location),
           place_readers[s.place], place_antennas[s.place], s.rssi, to_timestamp(s.received / 1000)
      FROM unnest(s_no, s_at, s_place, s_rssi, s_received, s_keep) AS s (no, at, place, rssi, received, keep)
     WHERE s.keep AND (s.at <= a_seen[s.no] OR NOT are_fresh_stored)
    ON CONFLICT (org_id, asset_id, event_observed_at) DO NOTHING;
    GET DIAGNOSTICS late_events = ROW_COUNT;
  END IF;
  stored_events := stored_events + late_events;
  thinned_reads := thinned_reads + cardinality(s_keep) - stored_events;
END
$$;
