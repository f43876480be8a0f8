-- name: readRecorded
SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
FROM _prisma_migrations
WHERE rolled_back_at IS NULL
ORDER BY migration_name;

-- name: checkServerVersion
SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version;

-- name: waitForTurn
SELECT pg_try_advisory_lock($1) AS held;

-- name: record
INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
VALUES ($1, $2, $3, $4, clock_timestamp(), 1);

-- name: applyInTransaction
SET LOCAL lock_timeout = 2000;

-- name: applyInTransaction
-- A failed step of an import names its reason; the app has the words. UPDATE imports
SET failure = CASE WHEN failure LIKE 'Something changed after the check%' THEN 'import_outdated' 
  HEN failure LIKE 'The service was interrupted.%' THEN 'import_interrupted' ELSE 'import_failed' END
WHERE failure IS NOT NULL;;

-- name: applyInTransaction
-- Locks: ACCESS EXCLUSIVE on activity_log and imports,
  for milliseconds: no row is read or written. The functions below are -- locked until the migration ends; running calls finish with the old version. ALTER TABLE activity_log ADD COLUMN import_id UUID; ALTER TABLE imports ADD COLUMN undone_at TIMESTAMPTZ(3); -- Trigger on `assets`, after each statement that inserts or updates. Writes one entry of `activity_log` for each asset that -- was created, changed, deleted or restored; an update that leaves every field as it was writes none. `before` and `after` hold the -- fields that differ, without nulls; instants are epoch milliseconds, and custom details are cut at 2,000 characters. The setting -- `whereabouts.author` names the author: the entry point, the actor and an import, separated by spaces. -- Metadata stays text: as `jsonb` its largest numbers would be spelled out, or refused. -- A plan is kept for the connection and may come from a statement of one row: without nested loops it does not compare -- 100,000 rows with each other, and without sequential scans and the order of an index it does not read all tags for each. -- At most 20 tags are kept. CREATE OR REPLACE FUNCTION log_asset_changes() RETURNS trigger LANGUAGE plpgsql
SET enable_nestloop = off
SET enable_seqscan = off AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''),
  ' ');
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action,
  entry_point, actor, import_id, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'asset', n.id::text,
  n.name, 'created',
           coalesce(author[1], 'system'), author[2],
  author[3]::uuid,
           json_strip_nulls(json_build_object(
             'external_key', n.external_key, 'name',
  n.name, 'description', left(n.description, 500),
             'is_active', n.is_active, 'metadata',
  nullif(left(n.metadata::text, 2000), '{}'),
             'valid_from', round(date_part('epoch',
  n.valid_from) * 1000)::bigint,
             'valid_to', round(date_part('epoch',
  n.valid_to) * 1000)::bigint,
             'tags',
  (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = n.org_id AND asset_id = n.id)))
      FROM new_rows n
     WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, import_id, before, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'asset', n.id::text, n.name,
           CASE WHEN o.deleted_at IS NOT NULL THEN 'restored' WHEN n.deleted_at IS NULL THEN 'updated' ELSE 'deleted' END,
           coalesce(author[1], 'system'), author[2], author[3]::uuid,
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN o.external_key END,
               'name', CASE WHEN o.name <> n.name THEN o.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN o.description END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN o.is_active END,
               'metadata', CASE WHEN o.metadata::text <> n.metadata::text THEN left(o.metadata::text, 2000) END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', o.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', o.valid_to) * 1000)::bigint END))
           ELSE
             json_strip_nulls(json_build_object(
               'external_key', o.external_key, 'name', o.name, 'description', left(o.description, 500),
               'is_active', o.is_active, 'metadata', nullif(left(o.metadata::text, 2000), '{}'),
               'valid_from', round(date_part('epoch', o.valid_from) * 1000)::bigint,
               'valid_to', round(date_part('epoch', o.valid_to) * 1000)::bigint,
               'tags', (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = o.org_id AND asset_id = o.id)))
           END,
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN n.external_key END,
               'name', CASE WHEN o.name <> n.name THEN n.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN n.description END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN n.is_active END,
               'metadata', CASE WHEN o.metadata::text <> n.metadata::text THEN left(n.metadata::text, 2000) END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', n.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', n.valid_to) * 1000)::bigint END))
           END
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     WHERE (o.deleted_at IS NOT NULL AND n.deleted_at IS NULL)
        OR o.deleted_at IS NULL
       AND (n.deleted_at IS NOT NULL
            OR (o.external_key, o.name, o.is_active, o.metadata::text, o.valid_from)
               <> (n.external_key, n.name, n.is_active, n.metadata::text, n.valid_from)
            OR (o.description, o.valid_to) IS DISTINCT FROM (n.description, n.valid_to));
  END IF;
  RETURN NULL;
END
$$; -- Trigger on `locations`, after each statement that inserts or updates. Works as `log_asset_changes`. `parent` is the -- name of the parent with its key, as it is when the entry is written; a change of it has `parent_id` too, for its restoration. CREATE OR REPLACE FUNCTION log_location_changes() RETURNS trigger LANGUAGE plpgsql
SET enable_nestloop = off
SET enable_seqscan = off AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''),
  ' ');
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action,
  entry_point, actor, import_id, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'location',
  n.id::text, n.name, 'created',
           coalesce(author[1], 'system'), author[2],
  author[3]::uuid,
           json_strip_nulls(json_build_object(
             'external_key', n.external_key, 'name',
  n.name, 'description', left(n.description, 500),
             'parent', location_of_activity(n.org_id,
  n.parent_id),
             'is_active', n.is_active,
             'valid_from', round(date_part('epoch',
  n.valid_from) * 1000)::bigint,
             'valid_to', round(date_part('epoch',
  n.valid_to) * 1000)::bigint,
             'tags',
  (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = n.org_id AND location_id = n.id)))
      FROM new_rows n
     WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, import_id, before, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), 'location', n.id::text, n.name,
           CASE WHEN o.deleted_at IS NOT NULL THEN 'restored' WHEN n.deleted_at IS NULL THEN 'updated' ELSE 'deleted' END,
           coalesce(author[1], 'system'), author[2], author[3]::uuid,
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN o.external_key END,
               'name', CASE WHEN o.name <> n.name THEN o.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN o.description END,
               'parent', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN location_of_activity(o.org_id, o.parent_id) END,
               'parent_id', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN o.parent_id END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN o.is_active END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', o.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', o.valid_to) * 1000)::bigint END))
           ELSE
             json_strip_nulls(json_build_object(
               'external_key', o.external_key, 'name', o.name, 'description', left(o.description, 500),
               'parent', location_of_activity(o.org_id, o.parent_id),
               'is_active', o.is_active,
               'valid_from', round(date_part('epoch', o.valid_from) * 1000)::bigint,
               'valid_to', round(date_part('epoch', o.valid_to) * 1000)::bigint,
               'tags', (SELECT to_json((array_agg(tag_type || ':' || value ORDER BY id + 0))[1:20])
                        FROM tags
                       WHERE org_id = o.org_id AND location_id = o.id)))
           END,
           CASE WHEN n.deleted_at IS NULL THEN
             json_strip_nulls(json_build_object(
               'external_key', CASE WHEN o.external_key <> n.external_key THEN n.external_key END,
               'name', CASE WHEN o.name <> n.name THEN n.name END,
               'description', CASE WHEN o.description IS DISTINCT FROM n.description THEN n.description END,
               'parent', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN location_of_activity(n.org_id, n.parent_id) END,
               'parent_id', CASE WHEN o.parent_id IS DISTINCT FROM n.parent_id THEN n.parent_id END,
               'is_active', CASE WHEN o.is_active <> n.is_active THEN n.is_active END,
               'valid_from', CASE WHEN o.valid_from <> n.valid_from THEN round(date_part('epoch', n.valid_from) * 1000)::bigint END,
               'valid_to', CASE WHEN o.valid_to IS DISTINCT FROM n.valid_to THEN round(date_part('epoch', n.valid_to) * 1000)::bigint END))
           END
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     WHERE (o.deleted_at IS NOT NULL AND n.deleted_at IS NULL)
        OR o.deleted_at IS NULL
       AND (n.deleted_at IS NOT NULL
            OR (o.external_key, o.name, o.is_active, o.valid_from) <> (n.external_key, n.name, n.is_active, n.valid_from)
            OR (o.description, o.parent_id, o.valid_to) IS DISTINCT FROM (n.description, n.parent_id, n.valid_to));
  END IF;
  RETURN NULL;
END
$$; -- Trigger on `tags`, after each statement that inserts or deletes. Writes one entry of `activity_log` for each tag, as a -- change of the asset or location that it is attached to. Tags of a row that the same transaction created belong to the -- entry of that row: its version is of this transaction, and it was never updated. The sums make the planner use the primary -- keys, which begin with the id: without statistics it would take any index that begins with the organization for as good. CREATE OR REPLACE FUNCTION log_tag_changes() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''),
  ' ');
BEGIN
  INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, import_id,
  before, after)
  SELECT t.org_id, date_trunc('milliseconds', clock_timestamp()),
         CASE 
  HEN t.asset_id IS NULL THEN 'location' ELSE 'asset' END,
         p.id::text, p.name,
         CASE 
  HEN TG_OP = 'INSERT' THEN 'tag_attached' ELSE 'tag_detached' END,
         coalesce(author[1], 'system'), author[2],
  author[3]::uuid,
         CASE WHEN TG_OP = 'DELETE' THEN json_build_object('tag',
  t.tag_type || ':' || t.value) END,
         CASE WHEN TG_OP = 'INSERT' THEN json_build_object('tag',
  t.tag_type || ':' || t.value) END
    FROM changed_rows t
   CROSS JOIN LATERAL (
     SELECT a.id,
  a.name
       FROM assets a
      WHERE t.asset_id IS NOT NULL AND a.id = t.asset_id AND a.org_id + 0 = t.org_id
        AND NOT (a.xmin = pg_current_xact_id()::xid AND a.updated_at = a.created_at)
     UNION ALL
     SELECT l.id, l.name
       FROM locations l
      WHERE t.location_id IS NOT NULL AND l.id = t.location_id AND l.org_id + 0 = t.org_id
        AND NOT (l.xmin = pg_current_xact_id()::xid AND l.updated_at = l.created_at)
      LIMIT 1
   ) p
   WHERE t.deleted_at IS NULL;
  RETURN NULL;
END
$$;;

-- name: applyInTransaction
-- further: 0ab7931752 0cf72df61c 10aa72b078 13e31a0b33 169467c5a1 1bff920c51 1c08930c86 322463bfab 35512faa1a 3fe9bd35da 40d285a592 620386aafb
-- further: 64961dcb1e 746c0c8a15 7b483ffeec 7be5827024 7d7a467dfe 80e513eeb8 81ad89f194 87441b29d3 881f8c5e74 890538bef0 8b0487b9e1 8fa8e40e8d
-- further: 9ed3835b57 a097be5477 aad769d029 ad0004263d b4e5cf3101 bedc572823 c0b6593008 c3418eaf24 c656d6713a cf353751d6 e1e232d0d0 e462482a0f
-- further: e96461d445 e97afbcab3 eee0cb71d0 efb60d31f1 f67ffa0399 f981873933

-- name: applyOutside
-- Outside of a transaction. -- Locks: SHARE UPDATE EXCLUSIVE on asset_positions,
  for about five seconds per million rows: reads and writes go on. DROP INDEX CONCURRENTLY IF EXISTS asset_positions_listed;

-- name: applyOutside
-- Outside of a transaction. -- Locks: SHARE UPDATE EXCLUSIVE on asset_positions,
  for about ten seconds per million rows: reads and writes go on. Then ACCESS -- EXCLUSIVE on asset_positions,
  and on assets for the foreign key of a dropped table,
  for milliseconds. DROP INDEX CONCURRENTLY IF EXISTS asset_positions_order;

-- name: applyOutside
-- Outside of a transaction. -- Locks: SHARE UPDATE EXCLUSIVE on assets and locations for seconds: reads and writes go on. DROP INDEX CONCURRENTLY IF EXISTS assets_trash;

-- name: applyOutside
-- further: 1662900292 24b98b4ea5 2946607d20 312ca85889 480ab1cb89 5148420390 5917fb711c 59e8fe1e93 5c670e5c4e 66c2b2fc37 69c15f145e 6d45abe3ad
-- further: 6e73d18df2 6fb59dd2f4 7231fe38d6 7b8da98326 7d19ad0bdb 7f07523180 7fb1cf8106 8ad5365220 8eff56d0cd 946bbf56ea 97f300c40a 9ba42d208a
-- further: a1e3b7ccab a20c15639f a4a66ac09a a926176993 acc287f5ff b3a4bf8260 b62e73cdc8 b819b3f6ee b9cc0156ae bcecfdbe0c bdf3fe6dc3 c8935c61fe
-- further: cab32b2bfd cf0ecb7b35 d734d445bd d858461068 d9c5d5978b dac8f3f8dc e9b267041e f4982a513b

-- name: migrate
CREATE TABLE IF NOT EXISTS _prisma_migrations (id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0);

-- name: migrateJobQueue
-- Tidy up from previous migrations drop function "graphile_worker".jobs__increase_job_queue_count(); drop function "graphile_worker".jobs__decrease_job_queue_count(); drop function "graphile_worker".tg__update_timestamp(); -- Add function to unlock all jobs from the given workers due to a crash or similar create function "graphile_worker".force_unlock_workers(worker_ids text[]) returns void as $$
update "graphile_worker".jobs
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
update "graphile_worker".job_queues
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
$$ language sql volatile;;

-- name: migrateJobQueue
--! breaking-change -- Create the tables create table "graphile_worker".job_queues (queue_name text not null primary key,
  job_count int not null, locked_at timestamptz,
  locked_by text); alter table "graphile_worker".job_queues enable row level security; create table "graphile_worker".jobs (id bigserial primary key, queue_name text not null, task_identifier text not null, payload json default '{}'::json not null, priority int default 0 not null, run_at timestamptz default now() not null, attempts int default 0 not null, max_attempts int default 25 not null, last_error text, created_at timestamp with time zone not null default now(), updated_at timestamp with time zone not null default now()); alter table "graphile_worker".jobs enable row level security; create index on "graphile_worker".jobs (priority, run_at, id); -- Keep updated_at up to date create function "graphile_worker".tg__update_timestamp() returns trigger as $$
begin
  new.updated_at = greatest(now(), old.updated_at + interval '1 millisecond');
  return new;
end;
$$ language plpgsql; create trigger _100_timestamps before update on "graphile_worker".jobs for each row execute procedure "graphile_worker".tg__update_timestamp(); -- Manage the job_queues table - creating and deleting entries as appropriate create function "graphile_worker".jobs__decrease_job_queue_count() returns trigger as $$
declare
  v_new_job_count int;
begin
  update "graphile_worker".job_queues
    set job_count = job_queues.job_count - 1
    where queue_name = old.queue_name
    returning job_count into v_new_job_count;

  if v_new_job_count <= 0 then
    delete from "graphile_worker".job_queues where queue_name = old.queue_name and job_count <= 0;
  end if;

  return old;
end;
$$ language plpgsql; create function "graphile_worker".jobs__increase_job_queue_count() returns trigger as $$
begin
  insert into "graphile_worker".job_queues(queue_name, job_count)
    values(new.queue_name, 1)
    on conflict (queue_name)
    do update
    set job_count = job_queues.job_count + 1;

  return new;
end;
$$ language plpgsql; create trigger _500_increase_job_queue_count after insert on "graphile_worker".jobs for each row execute procedure "graphile_worker".jobs__increase_job_queue_count(); create trigger _500_decrease_job_queue_count after delete on "graphile_worker".jobs for each row execute procedure "graphile_worker".jobs__decrease_job_queue_count(); create trigger _500_increase_job_queue_count_update after update of queue_name on "graphile_worker".jobs for each row execute procedure "graphile_worker".jobs__increase_job_queue_count(); create trigger _500_decrease_job_queue_count_update after update of queue_name on "graphile_worker".jobs for each row execute procedure "graphile_worker".jobs__decrease_job_queue_count(); -- Notify worker of new jobs create function "graphile_worker".tg_jobs__notify_new_jobs() returns trigger as $$
begin
  perform pg_notify('jobs:insert', '');
  return new;
end;
$$ language plpgsql; create trigger _900_notify_worker after insert on "graphile_worker".jobs for each statement execute procedure "graphile_worker".tg_jobs__notify_new_jobs(); -- Function to queue a job create function "graphile_worker".add_job(identifier text, payload json = '{}', queue_name text = null, -- was gen_random_uuid(), but later removed dependency run_at timestamptz = now(), max_attempts int = 25) returns "graphile_worker".jobs as $$
  insert into "graphile_worker".jobs(task_identifier, payload, queue_name, run_at, max_attempts) values(identifier, payload, queue_name, run_at, max_attempts) returning *;
$$ language sql; -- The main function - find me a job to do! create function "graphile_worker".get_job(worker_id text, task_identifiers text[] = null, job_expiry interval = interval '4 hours') returns "graphile_worker".jobs as $$
declare
  v_job_id bigint;
  v_queue_name text;
  v_default_job_max_attempts text = '25';
  v_row "graphile_worker".jobs;
begin
  if worker_id is null or length(worker_id) < 10 then
    raise exception 'invalid worker id';
  end if;

  select job_queues.queue_name, jobs.id into v_queue_name, v_job_id
    from "graphile_worker".jobs
    inner join "graphile_worker".job_queues using (queue_name)
    where (locked_at is null or locked_at < (now() - job_expiry))
    and run_at <= now()
    and attempts < max_attempts
    and (task_identifiers is null or task_identifier = any(task_identifiers))
    order by priority asc, run_at asc, id asc
    limit 1
    for update of job_queues
    skip locked;

  if v_queue_name is null then
    return null;
  end if;

  update "graphile_worker".job_queues
    set
      locked_by = worker_id,
      locked_at = now()
    where job_queues.queue_name = v_queue_name;

  update "graphile_worker".jobs
    set attempts = attempts + 1
    where id = v_job_id
    returning * into v_row;

  return v_row;
end;
$$ language plpgsql; -- I was successful, mark the job as completed create function "graphile_worker".complete_job(worker_id text, job_id bigint) returns "graphile_worker".jobs as $$
declare
  v_row "graphile_worker".jobs;
begin
  delete from "graphile_worker".jobs
    where id = job_id
    returning * into v_row;

  update "graphile_worker".job_queues
    set locked_by = null, locked_at = null
    where queue_name = v_row.queue_name and locked_by = worker_id;

  return v_row;
end;
$$ language plpgsql; -- I was unsuccessful, re-schedule the job please create function "graphile_worker".fail_job(worker_id text, job_id bigint, error_message text) returns "graphile_worker".jobs as $$
declare
  v_row "graphile_worker".jobs;
begin
  update "graphile_worker".jobs
    set
      last_error = error_message,
      run_at = greatest(now(), run_at) + (exp(least(attempts, 10))::text || ' seconds')::interval
    where id = job_id
    returning * into v_row;

  update "graphile_worker".job_queues
    set locked_by = null, locked_at = null
    where queue_name = v_row.queue_name and locked_by = worker_id;

  return v_row;
end;
$$ language plpgsql;;

-- name: migrateJobQueue
--! breaking-change -- Go back to exposing 'int' on public interfaces,
  use smallint internally. drop function "graphile_worker".add_job; CREATE FUNCTION "graphile_worker".add_job(identifier text,
  payload json DEFAULT NULL::json, queue_name text DEFAULT NULL::text,
  run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts int DEFAULT NULL::int,
  job_key text DEFAULT NULL::text, priority int DEFAULT NULL::int, flags text[] DEFAULT NULL::text[],
  job_key_mode text DEFAULT 'replace'::text) RETURNS "graphile_worker".jobs LANGUAGE plpgsql AS $$
declare
  v_job "graphile_worker".jobs;
begin
  if (job_key is null or job_key_mode is null or job_key_mode in ('replace', 'preserve_run_at')) then
    select * into v_job
    from "graphile_worker".add_jobs(
      ARRAY[(
        identifier,
        payload,
        queue_name,
        run_at,
        max_attempts::smallint,
        job_key,
        priority::smallint,
        flags
      )::"graphile_worker".job_spec],
      (job_key_mode = 'preserve_run_at')
    )
    limit 1;
    return v_job;
  elsif job_key_mode = 'unsafe_dedupe' then
    -- Ensure all the tasks exist
    insert into "graphile_worker".tasks (identifier)
    values (add_job.identifier)
    on conflict do nothing;
    -- Ensure all the queues exist
    if add_job.queue_name is not null then
      insert into "graphile_worker".job_queues (queue_name)
      values (add_job.queue_name)
      on conflict do nothing;
    end if;
    -- Insert job, but if one already exists then do nothing, even if the
    -- existing job has already started (and thus represents an out-of-date
    -- world state). This is dangerous because it means that whatever state
    -- change triggered this add_job may not be acted upon (since it happened
    -- after the existing job started executing, but no further job is being
    -- scheduled), but it is useful in very rare circumstances for
    -- de-duplication. If in doubt, DO NOT USE THIS.
    insert into "graphile_worker".jobs (
      job_queue_id,
      task_id,
      payload,
      run_at,
      max_attempts,
      key,
      priority,
      flags
    )
      select
        job_queues.id,
        tasks.id,
        coalesce(add_job.payload, '{}'::json),
        coalesce(add_job.run_at, now()),
        coalesce(add_job.max_attempts::smallint, 25::smallint),
        add_job.job_key,
        coalesce(add_job.priority::smallint, 0::smallint),
        (
          select jsonb_object_agg(flag, true)
          from unnest(add_job.flags) as item(flag)
        )
      from "graphile_worker".tasks
      left join "graphile_worker".job_queues
      on job_queues.queue_name = add_job.queue_name
      where tasks.identifier = add_job.identifier
    on conflict (key)
      -- Bump the updated_at so that there's something to return
      do update set
        revision = jobs.revision + 1,
        updated_at = now()
      returning *
      into v_job;
    return v_job;
  else
    raise exception 'Invalid job_key_mode value, expected ''replace'', ''preserve_run_at'' or ''unsafe_dedupe''.' using errcode = 'GWBKM';
  end if;
end;
$$; DROP FUNCTION "graphile_worker".reschedule_jobs; CREATE FUNCTION "graphile_worker".reschedule_jobs(job_ids bigint[], run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority int DEFAULT NULL::int, attempts int DEFAULT NULL::int, max_attempts int DEFAULT NULL::int) RETURNS SETOF "graphile_worker".jobs LANGUAGE sql AS $$
  update "graphile_worker".jobs
    set
      run_at = coalesce(reschedule_jobs.run_at, jobs.run_at),
      priority = coalesce(reschedule_jobs.priority::smallint, jobs.priority),
      attempts = coalesce(reschedule_jobs.attempts::smallint, jobs.attempts),
      max_attempts = coalesce(reschedule_jobs.max_attempts::smallint, jobs.max_attempts),
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;;

-- name: migrateJobQueue
-- further: 02b1a4175d 072360c651 1877a468a4 2460350242 4ae6f5f8a0 55e6e9b44b 65507aafae 81d39a6ccf 8b86dd48f6 9505cacb7c 950aac95bf 99d692c47f
-- further: b7f783c850 b981e4d08c bdfdc065cd e188d398cb e6f07d43b5 e6f73c32f2 f5b4358197 f75a8bbdda f8d6fa5c48 feb1a20047 ff242c9faa
