import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { reportProgress } from '../fixture.js';
import { median } from '../measure.js';
import { type IngestBench, type LoadShape, type Measured, measureLoad, medianOf } from './measure.js';

/** A process knows a new rule within two seconds. */
const interestMs = 2500;

export type RulesLoad = { readonly without: Measured; readonly with: Measured; readonly ratio: number };

/**
 * Measures the main load alternately without rules and with ten, so that a temporary slowdown of the machine affects
 * both.
 */
export async function measureRules(
  bench: IngestBench,
  shape: LoadShape,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<RulesLoad> {
  const { client, world } = bench;
  const measured: { without: Measured; with: Measured }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await client.query('CHECKPOINT');
    const without = await measureLoad(bench, shape, roundMs);
    await addRules(client, world.orgId);
    await delay(interestMs);
    await client.query('CHECKPOINT');
    const withRules = await measureLoad(bench, shape, roundMs);
    await client.query('DELETE FROM alert_rules WHERE org_id = $1', [world.orgId]);
    await delay(interestMs);
    measured.push({ without, with: withRules });
    reportProgress(`  ${without.rate.toFixed(0)} reads/s without rules, ${withRules.rate.toFixed(0)} with ten`);
  }
  return {
    without: medianOf(measured.map((round) => round.without)),
    with: medianOf(measured.map((round) => round.with)),
    ratio: median(measured.map((round) => round.with.rate / round.without.rate)),
  };
}

/** Six rules on moves at a location each, two on dwell time, one on unread assets, one on silent readers. */
async function addRules(client: pg.Client, orgId: number): Promise<void> {
  await client.query(
    `INSERT INTO alert_rules (org_id, name, event_type, condition, limit_seconds, created_at, updated_at)
     SELECT $1, 'Rule ' || n, r.type,
            json_build_object('assets', json_build_object('kind', 'all'), 'direction', 'entering',
                              'locations', json_build_object('kind', 'chosen', 'include_sublocations', true,
                                                             'ids', json_build_array(n))),
            r.limit_seconds, now(), now()
       FROM generate_series(1, 10) AS n
      CROSS JOIN LATERAL (
        SELECT CASE WHEN n <= 6 THEN 'asset.location_changed' WHEN n <= 8 THEN 'asset.dwell_exceeded'
                    WHEN n = 9 THEN 'asset.overdue' ELSE 'reader.offline' END AS type,
               CASE WHEN n > 6 THEN 3600 END AS limit_seconds) r`,
    [orgId],
  );
}
