import { expect, it } from 'vitest';
import { removeDeletedViews } from '../../../../server/app/saved-views/queries.js';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const view = {
  name: 'Old pallets',
  query: 'unseen_days=30&q=pallet',
  columns: ['name', 'detail:owner'],
  is_shared: false,
};

it('keeps views of one person, and shared ones that managers change', async () => {
  const org = await world.organization();
  const [ada, ben, manager] = [await org.as('viewer'), await org.as('viewer'), await org.as('manager')];
  const own = await ada.savedViews.create(view);
  expect(own).toEqual({ ...view, id: own.id });
  expect((await ben.savedViews.list()).data).toEqual([]);
  expect(await refusalOf(ben.savedViews.delete({ id: own.id }))).toMatchObject({ type: 'not_found' });
  expect(await refusalOf(ada.savedViews.create({ ...view, is_shared: true }))).toMatchObject({ type: 'forbidden' });
  expect(await refusalOf(ada.savedViews.create(view))).toMatchObject({ type: 'conflict' });

  // A shared one may have the name of somebody's own.
  const shared = await manager.savedViews.create({ ...view, is_shared: true });
  expect((await ada.savedViews.list()).data.map(({ is_shared }) => is_shared)).toEqual([false, true]);
  expect((await ben.savedViews.list()).data).toEqual([shared]);
  expect(await refusalOf(ben.savedViews.delete({ id: shared.id }))).toMatchObject({ type: 'forbidden' });
  await manager.savedViews.delete({ id: shared.id });
  expect((await ben.savedViews.list()).data).toEqual([]);
});

it('brings a deleted view back under its id for 30 days, unless its name is taken or there are too many', async () => {
  const org = await world.organization();
  const [ada, ben] = [await org.as('viewer'), await org.as('viewer')];
  const own = await ada.savedViews.create(view);
  const shared = await org.admin.savedViews.create({ ...view, is_shared: true });
  await ada.savedViews.delete({ id: own.id });
  await org.admin.savedViews.delete({ id: shared.id });
  const another = await ada.savedViews.create(view);
  expect(await refusalOf(ada.savedViews.restore({ id: own.id }))).toMatchObject({ type: 'conflict' });
  await ada.savedViews.delete({ id: another.id });
  expect(await refusalOf(ben.savedViews.restore({ id: own.id }))).toMatchObject({ type: 'not_found' });
  expect(await refusalOf(ada.savedViews.restore({ id: shared.id }))).toMatchObject({ type: 'forbidden' });
  const outsider = (await world.organization()).admin;
  expect(await refusalOf(outsider.savedViews.restore({ id: shared.id }))).toMatchObject({ type: 'not_found' });
  await ada.savedViews.restore({ id: own.id });
  await org.admin.savedViews.restore({ id: shared.id });
  expect((await ada.savedViews.list()).data).toEqual([own, shared]);
  await ada.savedViews.delete({ id: own.id });
  await world.db.$executeRaw`UPDATE saved_views SET deleted_at = deleted_at - interval '31 days' WHERE id = ${own.id}`;
  expect(await refusalOf(ada.savedViews.restore({ id: own.id }))).toMatchObject({ type: 'not_found' });
  await removeDeletedViews(world.db);
  expect(await world.db.savedView.count({ where: { orgId: org.orgId } })).toBe(2);
});

it('keeps the newest fifty deleted views of a person', async () => {
  const org = await world.organization();
  const ada = await org.as('viewer');
  const ids: number[] = [];
  for (let n = 0; n < 51; n += 1) {
    const { id } = await ada.savedViews.create(view);
    await ada.savedViews.delete({ id });
    ids.push(id);
  }
  expect(await refusalOf(ada.savedViews.restore({ id: ids[0] ?? 0 }))).toMatchObject({ type: 'not_found' });
  await ada.savedViews.restore({ id: ids[1] ?? 0 });
});

it('keeps organizations apart', async () => {
  const org = await world.organization();
  const outsider = (await world.organization()).admin;
  const shared = await org.admin.savedViews.create({ ...view, is_shared: true });
  expect((await outsider.savedViews.list()).data).toEqual([]);
  expect(await refusalOf(outsider.savedViews.delete({ id: shared.id }))).toMatchObject({ type: 'not_found' });
});

it('allows fifty for each user, also when created at once', async () => {
  const org = await world.organization();
  const ada = await org.as('viewer');
  for (let n = 0; n < 48; n += 1) await ada.savedViews.create({ ...view, name: `View ${n}` });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) => ada.savedViews.create({ ...view, name: `At once ${n}` })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect((await ada.savedViews.list()).data).toHaveLength(50);
});
