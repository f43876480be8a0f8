import { describe, expect, it } from 'vitest';
import {
  addMember,
  addOrganization,
  createCaller,
  createOrganizationWorld,
  refusalOf,
} from '../../../support/caller.js';

const nothing = {
  has_location: false,
  has_asset: false,
  has_reader: false,
  has_live_reader: false,
  has_colleague: false,
  has_sample: false,
  has_ended: false,
};

describe('organizations.firstSteps', () => {
  it('reports the completed steps, one after another', async () => {
    await using world = await createOrganizationWorld();
    const admin = world.as(world.admin);
    const steps = () => admin.organizations.firstSteps();
    expect(await steps()).toEqual(nothing);
    const { data: location } = await admin.locations.create({ name: 'Dock' });
    expect(await steps()).toEqual({ ...nothing, has_location: true });
    await admin.assets.create({ name: 'Pallet' });
    expect(await steps()).toMatchObject({ has_asset: true, has_reader: false });
    const reader = await admin.readers.create({ name: 'Gate' });
    expect(await steps()).toMatchObject({ has_reader: true, has_live_reader: false });
    await world.db.reader.update({ where: { id: reader.id }, data: { lastMessageAt: new Date() } });
    expect(await steps()).toMatchObject({ has_live_reader: true, has_colleague: false });
    const { id } = await admin.members.invite({ role: 'viewer' });
    expect(await steps()).toMatchObject({ has_colleague: true, has_ended: false });
    await admin.organizations.endFirstSteps();
    await admin.organizations.endFirstSteps();
    await admin.members.revokeInvitation({ id });
    await admin.readers.delete({ id: reader.id });
    await admin.locations.delete({ location_id: location.id });
    expect(await steps()).toEqual({ ...nothing, has_asset: true, has_ended: true });
  });

  it('reports nothing of another organization', async () => {
    await using world = await createOrganizationWorld();
    const otherId = await addOrganization(world, 'Other');
    const { actor } = await addMember(world, otherId, 'admin');
    const other = createCaller(world.services, actor);
    await other.locations.create({ name: 'Dock' });
    await other.organizations.endFirstSteps();
    expect(await world.as(world.admin).organizations.firstSteps()).toEqual(nothing);
  });
});

describe('organizations.rename', () => {
  it('changes the name of the caller’s organization alone', async () => {
    await using world = await createOrganizationWorld();
    await addOrganization(world, 'Other');
    expect(await world.as(world.admin).organizations.rename({ name: 'Acme & Sons' })).toEqual({
      id: world.orgId,
      name: 'Acme & Sons',
    });
    expect((await world.db.organization.findMany({ orderBy: { id: 'asc' } })).map(({ name }) => name)).toEqual([
      'Acme & Sons',
      'Other',
    ]);
    expect(await refusalOf(world.as(world.admin).organizations.rename({ name: '' }))).toMatchObject({
      fields: [{ field: 'name' }],
    });
  });
});
