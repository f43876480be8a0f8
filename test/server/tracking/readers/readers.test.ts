import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

describe('readers.update', () => {
  it('changes what is given and leaves the rest', async () => {
    const org = await world.organization();
    const dock = await org.location();
    const { mqtt_password: _, ...before } = await org.reader({
      location_id: dock,
      antennas: [{ port: 1, location_id: dock }],
      publish_topic: 'a/b',
    });
    const renamed = await org.admin.readers.update({ id: before.id, name: 'Other', resolution_seconds: 5 });
    expect(renamed).toEqual({ ...before, name: 'Other', resolution_seconds: 5, updated_at: renamed.updated_at });
    expect(renamed.updated_at > before.updated_at).toBe(true);
    const cleared = await org.admin.readers.update({
      id: before.id,
      location_id: null,
      antennas: [],
      publish_topic: null,
    });
    expect(cleared).toMatchObject({
      location_id: null,
      antennas: [],
      publish_topic: `readers/${before.mqtt_username}/reads`,
    });
  });

  it('changes how the reader decides and what its antennas cover', async () => {
    const org = await world.organization();
    const { id } = await org.admin.readers.create({ name: 'Gate', antennas: [{ port: 1 }] });
    const changed = await org.admin.readers.update({
      id,
      location_rule: 'newest',
      antennas: [{ port: 1, kind: 'portal' }],
    });
    expect(changed).toMatchObject({ location_rule: 'newest', antennas: [{ port: 1, kind: 'portal' }] });
    expect(await org.admin.readers.update({ id, name: 'Other' })).toMatchObject({
      location_rule: 'newest',
      antennas: [{ port: 1, kind: 'portal' }],
    });
    expect(await refusalOf(org.admin.readers.update({ id, location_rule: null as never }))).toMatchObject({
      fields: [{ field: 'location_rule', code: 'invalid_value' }],
    });
  });

  it('checks the settings that come of it together', async () => {
    const org = await world.organization();
    const { id } = await org.reader({ format: 'mapped', mapping: { value: 'a', time: 't' }, time_unit: 's' });
    expect(await org.admin.readers.update({ id, mapping: { value: 'b' } })).toMatchObject({
      mapping: { value: 'b' },
      time_unit: 's',
    });
    expect(await refusalOf(org.admin.readers.update({ id, mapping: null }))).toMatchObject({
      fields: [{ field: 'mapping', code: 'required' }],
    });
    expect(await org.admin.readers.update({ id, format: 'native' })).toMatchObject({ mapping: null, time_unit: null });
    expect(await refusalOf(org.admin.readers.update({ id, format: 'mapped' }))).toMatchObject({
      fields: [{ field: 'mapping', code: 'required' }],
    });
  });

  it('may register a topic below the reader’s own user name', async () => {
    const org = await world.organization();
    const { id, mqtt_username } = await org.reader();
    const publish_topic = `readers/${mqtt_username}/events/#`;
    expect(await org.admin.readers.update({ id, publish_topic })).toMatchObject({ publish_topic });
  });

  it('keeps a deleted location that it is not asked about', async () => {
    const org = await world.organization();
    const dock = await org.location();
    const { id } = await org.reader({ location_id: dock });
    await org.deleteLocation(dock);
    expect(await org.admin.readers.update({ id, name: 'x' })).toMatchObject({ location_id: dock });
    expect(await refusalOf(org.admin.readers.update({ id, location_id: dock }))).toMatchObject({
      fields: [{ field: 'location_id', code: 'fk_not_found' }],
    });
  });

  it('does not find another organization’s reader, nor a deleted one', async () => {
    const org = await world.organization();
    const foreign = await (await world.organization()).reader();
    const gone = await org.reader();
    await org.admin.readers.delete({ id: gone.id });
    for (const { id } of [foreign, gone, { id: 2147483647 }]) {
      for (const call of [
        () => org.admin.readers.update({ id, name: 'x' }),
        () => org.admin.readers.delete({ id }),
        () => org.admin.readers.rotateSecret({ id }),
      ]) {
        expect(await refusalOf(call())).toEqual({ type: 'not_found', detail: 'Reader not found' });
      }
    }
  });
});

describe('readers.list', () => {
  it('pages the organization’s readers by name', async () => {
    const org = await world.organization();
    await (await world.organization()).reader();
    for (const name of ['C', 'A', 'B']) await org.reader({ name });
    const page = await org.admin.readers.list({ limit: 2, offset: 1 });
    expect(page.data.map(({ name }) => name)).toEqual(['B', 'C']);
    expect(page).toMatchObject({ limit: 2, offset: 1, total_count: 3 });
  });
});

describe('readers.restore', () => {
  it('restores a reader of the last 30 days as it was, in its own organization', async () => {
    const [org, other] = [await world.organization(), await world.organization()];
    const dock = await org.location();
    const { id } = await org.reader({ name: 'Gate', antennas: [{ port: 2, location_id: dock }], publish_topic: 'a/b' });
    const { updated_at: _, ...before } = await org.admin.readers.get({ id });
    expect(await refusalOf(org.admin.readers.restore({ id }))).toMatchObject({ type: 'not_found' });
    await org.admin.readers.delete({ id });
    expect(await refusalOf(other.admin.readers.restore({ id }))).toMatchObject({ type: 'not_found' });
    const manager = await org.as('manager');
    expect(await refusalOf(manager.readers.restore({ id }))).toMatchObject({ type: 'forbidden' });
    await org.admin.readers.restore({ id });
    expect(await org.admin.readers.get({ id })).toMatchObject(before);
    const { data } = await org.admin.activity.list({ kind: 'reader', object_id: String(id) });
    expect(data.map(({ action }) => action)).toEqual(['restored', 'deleted', 'created']);
    await org.admin.readers.delete({ id });
    await world.db.reader.update({ where: { id }, data: { deletedAt: new Date(Date.now() - 30.1 * 86_400_000) } });
    expect(await refusalOf(org.admin.readers.restore({ id }))).toMatchObject({ type: 'not_found' });
  });

  it('keeps to the number of readers that an organization can have', async () => {
    const org = await world.organization();
    const { id } = await org.reader();
    await org.admin.readers.delete({ id });
    await world.db.$executeRaw`
      INSERT INTO readers (org_id, name, format, mqtt_username, secret_hash, publish_topic, updated_at)
      SELECT ${org.orgId}::int, 'Reader', 'auto', ${`${org.orgId}-`} || n, 'none', 'none', now()
        FROM generate_series(1, ${world.settings.readersPerOrganization}::int) AS n`;
    expect(await refusalOf(org.admin.readers.restore({ id }))).toMatchObject({ type: 'conflict' });
  });
});
