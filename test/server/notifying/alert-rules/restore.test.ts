import { expect, test } from 'vitest';
import { removeDeletedRules } from '../../../../server/notifying/alert-rules/queries.js';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const rule = { name: 'Leaves', event_type: 'asset.location_changed', direction: 'leaving' } as const;

test('a deleted rule comes back under its id, enabled as it was, for 30 days and for its organization alone', async () => {
  const org = await world.organization();
  const manager = await org.as('manager');
  const first = await manager.alertRules.create(rule);
  const second = await manager.alertRules.create({ ...rule, name: 'Disabled', is_enabled: false });
  for (const { id } of [first, second]) await manager.alertRules.delete({ id });
  expect((await manager.alertRules.list()).data).toEqual([]);
  expect(await refusalOf(manager.alertRules.get({ id: first.id }))).toMatchObject({ type: 'not_found' });
  const interests = () => world.db.eventInterest.findUnique({ where: { orgId: org.orgId } });
  expect((await interests())?.types).toEqual([]);
  const outsider = (await world.organization()).admin;
  expect(await refusalOf(outsider.alertRules.restore({ id: first.id }))).toMatchObject({ type: 'not_found' });
  expect(await refusalOf((await org.as('operator')).alertRules.restore({ id: first.id }))).toMatchObject({
    type: 'forbidden',
  });

  const { updated_at: before, ...content } = first;
  const { updated_at: after, ...restored } = await manager.alertRules.restore({ id: first.id });
  expect(restored).toEqual(content);
  expect(after > before).toBe(true);
  expect((await interests())?.types).toEqual(['asset.location_changed']);
  // Two people undo the same deletion.
  expect(await manager.alertRules.restore({ id: first.id })).toMatchObject({ id: first.id });
  expect(await manager.alertRules.restore({ id: second.id })).toMatchObject({ id: second.id, is_enabled: false });
  const { data } = await manager.activity.list({ kind: 'alert_rule', object_id: String(first.id) });
  expect(data.map(({ action }) => action)).toEqual(['restored', 'deleted', 'created']);

  await manager.alertRules.delete({ id: first.id });
  await world.db
    .$executeRaw`UPDATE alert_rules SET deleted_at = deleted_at - interval '31 days' WHERE id = ${first.id}`;
  expect(await refusalOf(manager.alertRules.restore({ id: first.id }))).toMatchObject({ type: 'not_found' });
  await removeDeletedRules(world.db);
  expect(await world.db.alertRule.count({ where: { orgId: org.orgId } })).toBe(1);
});

test('a deleted rule does not count among the rules of an organization, and comes back only below their maximum', async () => {
  const { admin } = await world.organization();
  const rules = [];
  for (let n = 0; n < 100; n += 1) rules.push(await admin.alertRules.create({ ...rule, name: `Rule ${n}` }));
  const id = rules[0]?.id ?? 0;
  await admin.alertRules.delete({ id });
  const another = await admin.alertRules.create(rule);
  expect(await refusalOf(admin.alertRules.restore({ id }))).toMatchObject({ type: 'conflict' });
  await admin.alertRules.delete({ id: another.id });
  expect(await admin.alertRules.restore({ id })).toMatchObject({ id });
});

test('the newest fifty deleted rules are kept', async () => {
  const { admin } = await world.organization();
  const ids: number[] = [];
  for (let n = 0; n < 51; n += 1) {
    const { id } = await admin.alertRules.create(rule);
    await admin.alertRules.delete({ id });
    ids.push(id);
  }
  expect(await refusalOf(admin.alertRules.restore({ id: ids[0] ?? 0 }))).toMatchObject({ type: 'not_found' });
  expect(await admin.alertRules.restore({ id: ids[1] ?? 0 })).toMatchObject({ id: ids[1] });
});
