import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { removeOldProblems } from '../../../../server/things/asset-problems/queries.js';
import { refusalOf } from '../../../support/caller.js';
import { type AppCaller, sharedScanWorld } from '../../../support/scan-world.js';

// What people report of an asset, such as "Broken". Everybody who may scan reports; managers and the reporter resolve.

const world = await sharedScanWorld();

async function organization() {
  const org = await world.organization();
  const [operator, manager] = [await org.as('operator'), await org.as('manager')];
  return { org, operator, manager, asset: await org.asset({ name: 'Pump' }) };
}

const problemsOf = async (caller: AppCaller, id: number) => (await caller.assets.detail({ asset_id: id })).problems;

const namesOf = async (caller: AppCaller, filter: Partial<Parameters<AppCaller['assets']['table']>[0]>) =>
  (await caller.assets.table({ sort: undefined, ...filter })).data.map(({ name }) => name);

it('are reported by those who may scan, and shown with who and when until they are resolved', async () => {
  const { org, operator, manager, asset } = await organization();
  const viewer = await org.as('viewer');
  const broken = { asset_id: asset, text: 'Broken' };
  expect(await refusalOf(viewer.assetProblems.report(broken))).toMatchObject({ type: 'forbidden' });
  const { id, is_new: isNew } = await operator.assetProblems.report(broken);
  expect(isNew).toBe(true);
  // The same words are the same problem, also when a colleague reports it.
  expect(await manager.assetProblems.report(broken)).toEqual({ id, is_new: false });
  const { id: dirty } = await manager.assetProblems.report({ asset_id: asset, text: 'Needs cleaning' });
  const name = expect.any(String) as string;
  expect(await problemsOf(viewer, asset)).toMatchObject([
    { id: dirty, text: 'Needs cleaning' },
    { id, text: 'Broken', reported_by: { name } },
  ]);

  const resolve = (caller: AppCaller, problem: number, isResolved = true) =>
    caller.assetProblems.mark({ asset_id: asset, problem_id: problem, is_resolved: isResolved });
  expect(await refusalOf(resolve(operator, dirty))).toMatchObject({ type: 'forbidden' });
  expect(await refusalOf(resolve(viewer, id))).toMatchObject({ type: 'forbidden' });
  await resolve(operator, id);
  await resolve(manager, dirty);
  expect(await problemsOf(viewer, asset)).toEqual([]);
  await resolve(manager, dirty, false);
  await resolve(manager, dirty, false);
  expect(await problemsOf(viewer, asset)).toMatchObject([{ id: dirty, text: 'Needs cleaning' }]);

  const log = (await viewer.activity.list({ kind: 'asset', object_id: String(asset) })).data;
  expect(log.map(({ action, before, after }) => [action, before['problem'] ?? after['problem']])).toEqual([
    ['problem_reported', 'Needs cleaning'],
    ['problem_resolved', 'Needs cleaning'],
    ['problem_resolved', 'Broken'],
    ['problem_reported', 'Needs cleaning'],
    ['problem_reported', 'Broken'],
    ['created', undefined],
  ]);
  for (const text of ['', ' ', 'x'.repeat(501), 'two\nlines']) {
    expect(await refusalOf(operator.assetProblems.report({ asset_id: asset, text }))).toMatchObject({
      type: 'validation_error',
    });
  }
});

it('are stored once under their id, however often a device sends them, at the time when they were reported', async () => {
  const { operator, manager, asset } = await organization();
  const hourMs = 3_600_000;
  // The device was offline for an hour, and its clock is two days slow.
  const sentMs = Date.now() - 48 * hourMs;
  const report = {
    asset_id: asset,
    text: 'Broken',
    submission_id: ulid(),
    observed_at: new Date(sentMs - hourMs).toISOString(),
    sent_at: new Date(sentMs).toISOString(),
  };
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => operator.assetProblems.report(report)));
  expect(first).toEqual({ id: expect.any(Number) as number, is_new: true });
  expect(others).toEqual([first, first]);
  const [problem] = await problemsOf(operator, asset);
  expect(Math.abs(Date.parse(problem?.reported_at ?? '') - (Date.now() - hourMs))).toBeLessThan(60_000);
  await manager.assetProblems.mark({ asset_id: asset, problem_id: first?.id ?? 0, is_resolved: true });
  expect(await operator.assetProblems.report({ ...report, submission_id: report.submission_id.toLowerCase() })).toEqual(
    first,
  );
  expect(await problemsOf(operator, asset)).toEqual([]);
  expect(await operator.assetProblems.report({ ...report, submission_id: ulid() })).toMatchObject({ is_new: true });
});

it('are found in the table, in its file and on Home, and an asset with one is not free', async () => {
  const { org, operator, manager, asset } = await organization();
  const other = await org.asset({ name: 'Other pump' });
  const store = await org.location({ name: 'Store' });
  await manager.locations.setFreeMark({ location_id: store, assets_free: true });
  await operator.scans.submit({
    submission_id: ulid(),
    location_id: store,
    reads: [{ asset_id: asset }, { asset_id: other }],
  });
  expect((await namesOf(operator, { free: true })).toSorted()).toEqual(['Other pump', 'Pump']);
  for (const text of ['Broken', 'Needs cleaning']) await operator.assetProblems.report({ asset_id: asset, text });
  expect(await namesOf(operator, { free: true })).toEqual(['Other pump']);
  expect(await namesOf(operator, { has_problem: true })).toEqual(['Pump']);
  expect(await namesOf(operator, { has_problem: true, q: 'pump', location_id: store })).toEqual(['Pump']);
  expect(await namesOf(operator, { has_problem: false })).toEqual(['Other pump']);
  for (const sort of ['name', 'asset_last_seen']) {
    expect(await operator.assets.table({ sort, has_problem: true })).toMatchObject({
      total_count: 1,
      total_is_exact: true,
      data: [{ name: 'Pump', has_problem: true }],
    });
  }
  const exported = async (filter: { has_problem?: boolean; free?: true }) =>
    (await manager.assets.exportPage({ ...filter, limit: 10 })).data.map(({ name }) => name);
  expect(await exported({ has_problem: true })).toEqual(['Pump']);
  expect(await exported({ free: true })).toEqual(['Other pump']);
  expect(
    (await operator.search.everything({ q: 'Pump' })).assets.map((found) => [found.name, found.has_problem]),
  ).toEqual([
    ['Pump', true],
    ['Other pump', false],
  ]);
  const home = async () => {
    const { problem_assets } = await operator.home.summary({ day_start: new Date().toISOString() });
    return problem_assets;
  };
  expect(await home()).toEqual({ count: 1, is_more: false });
  await org.admin.assets.delete({ asset_id: asset });
  expect(await home()).toEqual({ count: 0, is_more: false });
  expect(await namesOf(operator, { has_problem: true })).toEqual([]);
  expect((await manager.assets.get({ asset_id: other })).data).not.toHaveProperty('has_problem');
});

it('belong to one organization', async () => {
  const { operator, asset } = await organization();
  const { id } = await operator.assetProblems.report({ asset_id: asset, text: 'Broken' });
  const other = await organization();
  const { manager: stranger } = other;
  expect(await refusalOf(stranger.assetProblems.report({ asset_id: asset, text: 'Fine' }))).toMatchObject({
    type: 'not_found',
  });
  for (const asked of [asset, other.asset]) {
    const mark = stranger.assetProblems.mark({ asset_id: asked, problem_id: id, is_resolved: true });
    expect(await refusalOf(mark)).toMatchObject({ type: 'not_found' });
  }
  expect(await namesOf(stranger, { has_problem: true })).toEqual([]);
  expect(await problemsOf(operator, asset)).toMatchObject([{ id }]);
});

it('are twenty open ones of an asset at most, also when they come at once', async () => {
  const { operator, manager, asset } = await organization();
  const report = (n: number) => operator.assetProblems.report({ asset_id: asset, text: `Problem ${n}` });
  const { id: first } = await report(1);
  for (let n = 2; n < 20; n += 1) await report(n);
  const last = await Promise.allSettled([report(20), report(21), report(22)]);
  expect(last.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  const mark = (isResolved: boolean) =>
    manager.assetProblems.mark({ asset_id: asset, problem_id: first, is_resolved: isResolved });
  await mark(true);
  await report(23);
  expect(await refusalOf(mark(false))).toMatchObject({ type: 'conflict' });
});

it('are kept if they are among the twenty of an asset that were resolved last', async () => {
  const { org, operator, asset } = await organization();
  const ids: number[] = [];
  for (let n = 1; n <= 22; n += 1) {
    const { id } = await operator.assetProblems.report({ asset_id: asset, text: `Problem ${n}` });
    await operator.assetProblems.mark({ asset_id: asset, problem_id: id, is_resolved: true });
    ids.push(id);
  }
  const kept = await world.db.assetProblem.findMany({ where: { orgId: org.orgId }, orderBy: { id: 'asc' } });
  expect(kept.map(({ id }) => id)).toEqual(ids.slice(-20));
});

it('come back with a deleted asset, and go a day after they are resolved or when the asset cannot come back', async () => {
  const { org, operator, manager, asset } = await organization();
  const gone = await org.asset({ name: 'Gone' });
  const report = async (id: number, text: string) => (await operator.assetProblems.report({ asset_id: id, text })).id;
  const [open, resolved, early] = [await report(asset, 'a'), await report(asset, 'b'), await report(asset, 'c')];
  await report(gone, 'd');
  for (const problem of [resolved, early]) {
    await manager.assetProblems.mark({ asset_id: asset, problem_id: problem, is_resolved: true });
  }
  await org.admin.assets.delete({ asset_id: asset });
  await org.admin.assets.delete({ asset_id: gone });
  await world.db.$executeRaw`
    UPDATE asset_problems SET resolved_at = resolved_at - interval '1 day' WHERE id = ${resolved}`;
  await world.db.$executeRaw`UPDATE assets SET deleted_at = deleted_at - interval '30 days' WHERE id = ${gone}`;
  await removeOldProblems(world.db);
  const kept = await world.db.assetProblem.findMany({ where: { orgId: org.orgId }, orderBy: { id: 'asc' } });
  expect(kept.map(({ id }) => id)).toEqual([open, early]);
  await manager.trash.restore({ asset_ids: [asset] });
  expect(await problemsOf(operator, asset)).toMatchObject([{ id: open, text: 'a' }]);
});
