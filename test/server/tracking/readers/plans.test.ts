import { expect, it } from 'vitest';
import { createPlanReader, rowsBy } from '../../../support/plans.js';
import { createScanWorld } from '../../../support/scan-world.js';

const readers = 20_000;

it('finds logins by the index of user names, few or many at a time', async () => {
  await using world = await createScanWorld();
  const { orgId } = await world.organization();
  await world.db.$executeRaw`
    INSERT INTO readers (org_id, name, format, mqtt_username, secret_hash, publish_topic, created_at, updated_at)
    SELECT ${orgId}::int, 'R', 'auto', 'user' || n, md5(n::text), 'readers/user' || n || '/reads', now(), now()
      FROM generate_series(1, ${readers}::int) n`;
  await world.db.$executeRawUnsafe('VACUUM ANALYZE readers');
  await using plans = await createPlanReader(world.databaseUrl);
  for (const names of [['user77'], Array.from({ length: 500 }, (_, n) => `user${n * 39 + 1}`)]) {
    const nodes = await plans.nodesOf(async () => {
      expect(await world.core.readers.find(names)).toHaveLength(names.length);
    });
    expect(nodes.filter(({ kind }) => kind === 'Seq Scan')).toEqual([]);
    expect(rowsBy(nodes, 'readers_mqtt_username_key')).toBe(names.length);
  }
});
