import { openDatabase } from '../../kernel/database/client.js';
import { activityLog, ensurePartitions, scanEvents } from '../../kernel/database/partitions.js';
import { readPartitions } from '../backup/catalog.js';
import type { Ends } from './copy.js';

const dayMs = 86_400_000;

/** Creates the monthly partitions in the target for which the source has rows. */
export async function ensureSamePartitions({ source }: Ends, targetUrl: string): Promise<void> {
  const partitions = await readPartitions(source);
  await using target = openDatabase({ url: targetUrl, poolSize: 1 });
  for (const table of [scanEvents, activityLog]) {
    const months = partitions.flatMap(({ parent, name }) => {
      const [, year, month] = parent === table.name ? (/_(\d{4})_(\d{2})$/.exec(name) ?? []) : [];
      return year === undefined ? [] : [Date.UTC(Number(year), Number(month) - 1)];
    });
    const nowMs = Date.now();
    const retentionDays = Math.max(1, Math.ceil((nowMs - Math.min(nowMs, ...months)) / dayMs));
    await ensurePartitions(target.db, { retentionDays, nowMs }, table);
  }
}
