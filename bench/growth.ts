import type pg from 'pg';
import { type Bench, median } from './measure.js';
import { createWithoutKey } from './operations.js';

const createsPerSlice = 100;

/** One of the two organizations that are compared. */
export type GrowthSide = {
  readonly orgId: number;
  readonly token: string;
};

export type Growth = {
  /** Time of one create without a key, in milliseconds, with 100 live assets, and with all assets. */
  readonly smallMs: number;
  readonly largeMs: number;
  readonly ratio: number;
};

/**
 * Measures a create without a key in a small and in a large organization, in short alternating slices. The assets of a
 * slice are deleted before the next slice, in both organizations, so that the small organization stays small and both
 * are treated alike.
 */
export async function measureGrowth(
  bench: Bench,
  client: pg.Client,
  { small, large, slices }: { small: GrowthSide; large: GrowthSide; slices: number },
): Promise<Growth> {
  const times = { small: [] as number[], large: [] as number[] };
  for (let slice = 0; slice <= slices; slice += 1) {
    const smallMs = await measureSlice(bench, client, small);
    const largeMs = await measureSlice(bench, client, large);
    // The first one warms up.
    if (slice === 0) continue;
    times.small.push(smallMs);
    times.large.push(largeMs);
  }
  const smallMs = median(times.small);
  const largeMs = median(times.large);
  return { smallMs, largeMs, ratio: largeMs / smallMs };
}

async function measureSlice(
  { load, service, connections }: Bench,
  client: pg.Client,
  side: GrowthSide,
): Promise<number> {
  const { rows } = await client.query<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM assets');
  const { requests } = createWithoutKey(side.token);
  const { answers, elapsedMs } = await load.run({
    port: service.port,
    connections,
    requests,
    until: { requests: createsPerSlice },
  });
  const made = [side.orgId, rows[0]?.last];
  await client.query('UPDATE tags SET deleted_at = now() WHERE org_id = $1 AND asset_id > $2', made);
  await client.query('UPDATE assets SET deleted_at = now() WHERE org_id = $1 AND id > $2', made);
  return elapsedMs / answers;
}
