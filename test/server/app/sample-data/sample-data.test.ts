import { ulid } from 'ulid';
import { beforeAll, expect, test } from 'vitest';
import { ensurePartitions } from '../../../../server/kernel/database/partitions.js';
import {
  addMember,
  addOrganization,
  createCaller,
  createOrganizationWorld,
  refusalOf,
} from '../../../support/caller.js';
import { fileWorld } from '../../../support/shared.js';

const world = fileWorld(createOrganizationWorld);

beforeAll(async () => {
  await ensurePartitions(world.db, { retentionDays: 1, nowMs: Date.now() });
});

const sample = { site: 'Sample site', locations: ['Dock', 'Yard'], assets: ['Drill', 'Saw'], description: 'Sample' };

async function newcomer() {
  const orgId = await addOrganization(world, 'Newcomer');
  const { actor } = await addMember(world, orgId, 'admin');
  return { orgId, admin: createCaller(world.services, actor) };
}

test('sample data is created, counts as no step, and is removed whole', async () => {
  const { orgId, admin } = await newcomer();
  const before = await admin.organizations.firstSteps();
  const { site, locations, assets } = await admin.sampleData.add(sample);
  expect(await admin.organizations.firstSteps()).toEqual({ ...before, has_sample: true });
  const [drill = 0] = assets;
  const [dock = 0] = locations;
  await admin.scans.submit({ submission_id: ulid(), location_id: dock, reads: [{ asset_id: drill }] });
  expect((await admin.locations.get({ location_id: dock })).data).toMatchObject({ name: 'Dock', parent_id: site });
  expect((await admin.assets.get({ asset_id: drill })).data).toMatchObject({ name: 'Drill', description: 'Sample' });

  expect(await admin.sampleData.remove()).toEqual({ kept_locations: 0 });
  expect(await admin.sampleData.remove()).toEqual({ kept_locations: 0 });
  expect(await admin.organizations.firstSteps()).toEqual(before);
  const live = { where: { orgId, deletedAt: null } };
  expect([await world.db.asset.count(live), await world.db.location.count(live)]).toEqual([0, 0]);
  expect((await admin.trash.list({})).data).toHaveLength(5);
});

test('own assets, and the sample locations that they are at, stay', async () => {
  const { admin } = await newcomer();
  const { locations } = await admin.sampleData.add(sample);
  const [dock = 0] = locations;
  const { data: own } = await admin.assets.create({ name: 'Own' });
  await admin.scans.submit({ submission_id: ulid(), location_id: dock, reads: [{ asset_id: own.id }] });
  expect(await admin.sampleData.remove()).toEqual({ kept_locations: 2 });
  expect((await admin.assets.list({ sort: undefined })).data.map(({ name }) => name)).toEqual(['Own']);
  expect((await admin.locations.list({ sort: undefined })).data.map(({ name }) => name).toSorted()).toEqual([
    'Dock',
    'Sample site',
  ]);
  expect(await refusalOf(admin.sampleData.add(sample))).toMatchObject({ type: 'conflict' });
});

test('sample data is for empty organizations, once, and for administrators', async () => {
  const { orgId, admin } = await newcomer();
  const both = await Promise.allSettled([admin.sampleData.add(sample), admin.sampleData.add(sample)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const { actor } = await addMember(world, orgId, 'manager');
  const manager = createCaller(world.services, actor);
  expect(await refusalOf(manager.sampleData.add(sample))).toMatchObject({ type: 'forbidden' });
  expect(await refusalOf(manager.sampleData.remove())).toMatchObject({ type: 'forbidden' });
  const other = await newcomer();
  await other.admin.sampleData.remove();
  expect(await admin.organizations.firstSteps()).toMatchObject({ has_sample: true });
});
