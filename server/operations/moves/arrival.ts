import type pg from 'pg';

/**
 * Prepares the rows of an organization for the processes of the target, in the transaction that activates it there.
 * Rows that the processes find by time of change count as new, and events are ordered after the events of the target.
 */
export async function finishArrival(target: pg.Client, orgId: number): Promise<void> {
  await target.query('SET LOCAL session_replication_role = origin');
  // Processes read the interests that have changed since their last check.
  await target.query('UPDATE event_interests SET updated_at = clock_timestamp() WHERE org_id = $1', [orgId]);
  // Events are routed in the order of their ids, and new events get ids of the target.
  await target.query(
    `UPDATE outbox_events e
        SET id = n.id
       FROM (SELECT o.id AS old, nextval(pg_get_serial_sequence('outbox_events', 'id')) AS id
               FROM (SELECT id FROM outbox_events WHERE org_id = $1 ORDER BY id) o) n
      WHERE e.org_id = $1 AND e.id = n.old`,
    [orgId],
  );
  await target.query(
    `SELECT graphile_worker.add_job(
              task, json_build_object('org_id', org_id, 'user_id', user_id), run_at => due_at,
              job_key => concat_ws(':', task, org_id, user_id, 'moved', due_at))
       FROM (SELECT DISTINCT CASE WHEN by_push THEN 'push_alerts' ELSE 'send_alert_emails' END AS task, org_id, user_id, due_at
               FROM alert_emails WHERE org_id = $1) due
      ORDER BY task, user_id, due_at`,
    [orgId],
  );
}
