import { expect, test } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { checkFile, applyChecked, importFile } from '../../app/imports/import-file.js';

test('an import logs each row that it creates or changes, in few statements', async () => {
  const world = await sharedScanWorld();
  const org = await world.organization();
  const manager = await org.as('manager');
  const columns = ['external_key', 'name', 'rfid_tags'];
  const row = (n: number, name: string) => [`B-${n}`, name, `E${n}`];
  const count = 2000;
  const rows = Array.from({ length: count }, (_, n) => row(n, `Box ${n}`));
  await importFile(manager, { columns, rows });
  const created = await manager.activity.list({ entry_point: 'import', limit: 1000 });
  expect(created.data[0]).toMatchObject({
    kind: 'import',
    object_name: 'things.csv',
    action: 'applied',
    actor: { kind: 'user', name: 'manager' },
    after: { content: 'assets', rows_created: count, rows_changed: 0 },
  });
  expect(created.data[1]).toMatchObject({ kind: 'asset', action: 'created', actor: { name: 'manager' } });
  expect(await world.db.activityEntry.count({ where: { orgId: org.orgId, action: 'created' } })).toBe(count);

  const changed = rows.with(0, ['B-0', 'Crate', 'E0']).with(1, ['B-1', 'Box 1', 'F1']);
  const checked = await checkFile(manager, { columns, rows: changed });
  const applied = await applyChecked(manager, checked);
  expect(applied).toMatchObject({ status: 'applied', to_change: 2 });
  const { data } = await manager.activity.list({ limit: 4 });
  expect(data.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
    { action: 'applied', before: {}, after: { content: 'assets', rows_created: 0, rows_changed: 2 } },
    { action: 'updated', before: { name: 'Box 0' }, after: { name: 'Crate' } },
    { action: 'tag_attached', before: {}, after: { tag: 'rfid:F1' } },
    { action: 'tag_detached', before: { tag: 'rfid:E1' }, after: {} },
  ]);
});
