import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { type Connections, messageOf, seedContainerSite } from './site.js';

const sizes = [0, 10, 100, 1000];

/** Returns how long a batch takes that moves a container, by the number of its contents: median and slowest, in milliseconds. */
export async function measureMoves({ client, db }: Connections, rounds: number): Promise<string[][]> {
  const rows: string[][] = [];
  for (const contents of sizes) {
    const beganMs = Date.now() - 86_400_000;
    const { orgId, tags, readerIds } = await seedContainerSite(client, {
      assets: contents + 1,
      locations: 2,
      readersAt: [0, 1],
      rule: 'newest',
      sinceMs: beganMs - 1000,
    });
    await client.query('ANALYZE');
    const times: number[] = [];
    for (let round = 0; round < rounds + 2; round += 1) {
      const observedAtMs = beganMs + round * 60_000;
      const read = { tagType: 'rfid', value: tags[0] ?? '', antenna: 1, rssiDbm: -50, observedAtMs } as const;
      const message = messageOf([orgId, readerIds[round % 2] ?? 0], [read], observedAtMs);
      const startMs = performance.now();
      await ingestReads(db, [message], { retentionDays: 365, waitForTrees: true });
      // The first two moves plan the statements.
      if (round >= 2) times.push(performance.now() - startMs);
    }
    times.sort((one, other) => one - other);
    const [median = 0, slowest = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
    rows.push([String(contents), median.toFixed(1), slowest.toFixed(1)]);
  }
  return rows;
}
