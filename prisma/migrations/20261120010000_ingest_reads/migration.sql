-- The ingestion procedure: the reads of many readers become events, positions and counts in one statement.
--
-- A batch comes as parallel arrays, so that each thing said often in it stands there once:
--   heard   a reader that sent something, and when it was received last
--   place   an antenna of a reader that something was read at
--   tag     a tag value that was read
--   read    which tag at which place; strength in dBm or null; the reader's own time or null, and the time of receipt
--   rejected  a message that could not be understood; its payload as base64
-- Times are epoch milliseconds. Arrays that are indexed below hold no nulls: only then is an element found in one step.
--
-- While an organisation's tree is being changed its reads have to wait. Unless told to, a batch does not: it does nothing
-- and answers `busy_orgs`, so that the reads of the others can go ahead.
CREATE FUNCTION ingest_reads(
  heard_orgs int[], heard_readers int[], heard_times float8[],
  place_orgs int[], place_readers int[], place_antennas int[],
  tag_orgs int[], tag_types text[], tag_values text[],
  read_places int[], read_tags int[], read_strengths real[], read_times float8[], read_receipts float8[],
  rejected_readers int[], rejected_topics text[], rejected_reasons text[], rejected_payloads text[], rejected_times float8[],
  retention_days int, wait_for_trees boolean,
  OUT busy_orgs int[], OUT gone_readers int[], OUT stored_events int, OUT thinned_reads int, OUT weak_reads int, OUT unknown_reads int
) LANGUAGE plpgsql AS $$
DECLARE
  tree_lock CONSTANT int := 3;
  ahead_max_ms CONSTANT float8 := 5000;
  retention_ms CONSTANT float8 := retention_days * 86400000.0;
  no_location CONSTANT int := 0;
  own_tag CONSTANT int := 0;
  unknown_tag CONSTANT int := -1;
  -- By place.
  place_live boolean[]; place_locations int[]; place_minima int[]; place_resolutions int[]; place_uses_receipt boolean[];
  -- By tag: the asset it is attached to, or one of the two constants above.
  tag_assets int[];
  -- The reads that are some asset's, by asset and time.
  s_org int[]; s_asset int[]; s_at timestamptz[]; s_location int[]; s_resolution int[]; s_reader int[]; s_antenna int[];
  s_rssi real[]; s_received timestamptz[]; s_no bigint[]; s_keep boolean[];
  widest interval;
  new_assets int[];
  entry record;
  previous_asset int := 0;
  previous_at timestamptz;
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

  INSERT INTO rejected_messages (org_id, reader_id, topic, reason, payload, received_at)
  SELECT r.org_id, r.id, g.topic, g.reason, decode(g.payload, 'base64'), to_timestamp(g.at / 1000)
    FROM unnest(rejected_readers, rejected_topics, rejected_reasons, rejected_payloads, rejected_times)
         AS g (reader_id, topic, reason, payload, at)
    JOIN readers r ON r.id = g.reader_id AND r.deleted_at IS NULL;

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

  -- A value matches as it is stored, otherwise by normal form. A live tag has a live parent. Ordered by a mere id, the
  -- planner would walk all tags by it instead of looking the normal form up.
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
         AND t.org_id = g.org_id AND t.tag_type = g.type
         AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(g.type, g.value) AND t.deleted_at IS NULL
       ORDER BY t.id + 0
       LIMIT 1
    ) n ON true;

  WITH strong AS (
    SELECT g.place, g.tag, g.rssi, g.received, g.no,
           to_timestamp(CASE
             WHEN NOT place_uses_receipt[g.place]
              AND g.observed <= g.received + ahead_max_ms
              AND g.observed >= g.received - retention_ms
             THEN g.observed
             ELSE g.received
           END / 1000)::timestamptz(3) AS at
      FROM unnest(read_places, read_tags, read_strengths, read_times, read_receipts)
           WITH ORDINALITY AS g (place, tag, rssi, observed, received, no)
     WHERE place_live[g.place]
       AND (g.rssi IS NULL OR g.rssi >= place_minima[g.place])
  ), counted AS (
    -- In the order of the key, so that two batches never wait for each other in a circle.
    INSERT INTO unknown_tags AS u (org_id, tag_type, value, reader_id, antenna, count, first_seen, last_seen)
    SELECT tag_orgs[s.tag], tag_types[s.tag], tag_values[s.tag], place_readers[s.place], place_antennas[s.place],
           count(*), min(s.at), max(s.at)
      FROM strong s
     WHERE tag_assets[s.tag] = unknown_tag
     GROUP BY 1, 2, 3, 4, 5
     ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (org_id, tag_type, value, reader_id, antenna) DO UPDATE
       SET count = u.count + EXCLUDED.count,
           first_seen = least(u.first_seen, EXCLUDED.first_seen),
           last_seen = greatest(u.last_seen, EXCLUDED.last_seen)
  ), known AS (
    SELECT place_orgs[s.place] AS org_id, tag_assets[s.tag] AS asset_id, s.at,
           nullif(place_locations[s.place], no_location) AS location_id, place_resolutions[s.place] AS resolution,
           place_readers[s.place] AS reader_id, place_antennas[s.place] AS antenna,
           s.rssi, to_timestamp(s.received / 1000) AS received_at, s.no
      FROM strong s
     WHERE tag_assets[s.tag] > 0
     ORDER BY 2, 3, s.no
  )
  SELECT array_agg(k.org_id), array_agg(k.asset_id), array_agg(k.at), array_agg(k.location_id),
         array_agg(k.resolution), array_agg(k.reader_id), array_agg(k.antenna), array_agg(k.rssi),
         array_agg(k.received_at), array_agg(k.no), make_interval(secs => max(k.resolution)),
         (SELECT count(*) FROM strong s WHERE tag_assets[s.tag] = unknown_tag),
         (SELECT count(*) FROM unnest(read_places) AS g (place) WHERE place_live[g.place])
           - (SELECT count(*) FROM strong)
    INTO s_org, s_asset, s_at, s_location, s_resolution, s_reader, s_antenna, s_rssi, s_received, s_no, widest,
         unknown_reads, weak_reads
    FROM known k;

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

  IF s_asset IS NULL THEN
    RETURN;
  END IF;

  -- Positions first: whoever holds an asset's row is alone with that asset until the end, so that the next statement
  -- sees every event that counts. The rows are taken in the order of their key.
  WITH latest AS (
    SELECT DISTINCT ON (s.asset_id) s.*
      FROM unnest(s_org, s_asset, s_at, s_location, s_reader, s_antenna, s_no)
           AS s (org_id, asset_id, at, location_id, reader_id, antenna, no)
     ORDER BY s.asset_id, s.at DESC, s.no
  ), moved AS (
    INSERT INTO asset_positions AS p (org_id, asset_id, location_id, reader_id, antenna, asset_last_seen)
    SELECT l.org_id, l.asset_id, l.location_id, l.reader_id, l.antenna, l.at FROM latest l ORDER BY l.asset_id
    ON CONFLICT (org_id, asset_id) DO UPDATE
       SET location_id = EXCLUDED.location_id,
           reader_id = EXCLUDED.reader_id,
           antenna = EXCLUDED.antenna,
           asset_last_seen = EXCLUDED.asset_last_seen
     WHERE p.asset_last_seen < EXCLUDED.asset_last_seen
    RETURNING p.asset_id, p.xmax = 0 AS is_new
  )
  SELECT array_agg(m.asset_id ORDER BY m.asset_id) INTO new_assets FROM moved m WHERE m.is_new;

  -- The first position of an asset that is being deleted: the batch is to be tried again and will find it deleted.
  IF new_assets IS NOT NULL THEN
    PERFORM FROM (SELECT a.deleted_at FROM assets a WHERE a.id = ANY (new_assets) ORDER BY a.id FOR KEY SHARE) a
      WHERE a.deleted_at IS NOT NULL;
    IF FOUND THEN
      RAISE EXCEPTION 'an asset was deleted while it was read' USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;

  IF widest > interval '0' THEN
    s_keep := array_fill(false, ARRAY[cardinality(s_asset)]);
    -- The reads amid the stored events around them. Reads further apart than the resolution are looked up apart, so
    -- that one late read does not fetch the history of a day.
    FOR entry IN
      WITH numbered AS (
        SELECT s.org_id, s.asset_id, s.at, s.location_id, s.resolution, s.i,
               CASE WHEN s.asset_id = lag(s.asset_id) OVER w AND s.at - lag(s.at) OVER w <= widest
                    THEN 0 ELSE 1 END AS starts
          FROM unnest(s_org, s_asset, s_at, s_location, s_resolution)
               WITH ORDINALITY AS s (org_id, asset_id, at, location_id, resolution, i)
        WINDOW w AS (ORDER BY s.i)
      ), runs AS (
        SELECT n.org_id, n.asset_id, min(n.at) - widest AS since, max(n.at) AS until
          FROM (SELECT *, sum(starts) OVER (ORDER BY i) AS run FROM numbered) n
         GROUP BY n.org_id, n.asset_id, n.run
      )
      SELECT n.asset_id, n.at, n.location_id, n.resolution, n.i::int AS i
        FROM numbered n
      UNION ALL
      SELECT r.asset_id, e.at, e.location_id, 0, 0
        FROM runs r
       CROSS JOIN LATERAL (
         SELECT v.event_observed_at AS at, v.location_id
           FROM scan_events v
          WHERE v.org_id = r.org_id AND v.asset_id = r.asset_id
            AND v.event_observed_at > r.since AND v.event_observed_at <= r.until
         OFFSET 0) e
      ORDER BY 1, 2, 5
    LOOP
      IF entry.asset_id <> previous_asset THEN
        previous_asset := entry.asset_id;
        previous_at := NULL;
      ELSIF entry.at = previous_at THEN
        CONTINUE;
      END IF;
      IF entry.i > 0 THEN
        IF entry.at - previous_at < make_interval(secs => entry.resolution)
           AND entry.location_id IS NOT DISTINCT FROM previous_location THEN
          CONTINUE;
        END IF;
        s_keep[entry.i] := true;
      END IF;
      previous_at := entry.at;
      previous_location := entry.location_id;
    END LOOP;
    thinned_reads := cardinality(array_positions(s_keep, false));
  END IF;

  INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, reader_id, antenna, rssi_dbm, received_at)
  SELECT s.org_id, s.asset_id, s.at, s.location_id, s.reader_id, s.antenna, s.rssi, s.received_at
    FROM unnest(s_org, s_asset, s_at, s_location, s_reader, s_antenna, s_rssi, s_received, s_keep)
         AS s (org_id, asset_id, at, location_id, reader_id, antenna, rssi, received_at, keep)
   WHERE s.keep IS NOT FALSE
  ON CONFLICT (org_id, asset_id, event_observed_at) DO NOTHING;
  GET DIAGNOSTICS stored_events = ROW_COUNT;
END
$$;
