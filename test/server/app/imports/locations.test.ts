import { describe, expect, it } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { checkFile, importFile, problemsOf } from './import-file.js';

const world = await sharedScanWorld();

describe('a file of locations', () => {
  it('finds parents in the database and anywhere in the file', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.locations.create({ name: 'Site', external_key: 'SITE' });
    await manager.locations.create({ name: 'Old', external_key: 'OLD', parent_external_key: 'SITE' });
    const applied = await importFile(manager, {
      kind: 'locations',
      columns: ['external_key', 'name', 'parent_external_key', 'barcode_tags'],
      rows: [
        ['ROOM', 'Room', 'HALL', 'room-1'],
        ['HALL', 'Hall', 'SITE', ''],
        ['', 'Yard', 'ROOM', ''],
        ['OLD', 'Old', 'ROOM', ''],
        ['TOP', 'Top', '', ''],
      ],
    });
    expect(applied).toMatchObject({ status: 'applied', to_create: 4, to_change: 1 });
    const { data } = await manager.locations.list({ sort: 'external_key' });
    expect(data.map((row) => [row.external_key, row.parent_external_key])).toEqual([
      ['HALL', 'SITE'],
      ['LOC-0001', 'ROOM'],
      ['OLD', 'ROOM'],
      ['ROOM', 'HALL'],
      ['SITE', null],
      ['TOP', null],
    ]);
  });

  it('lists what a file would change about locations', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.locations.create({ name: 'Site', external_key: 'SITE' });
    const { data: hall } = await manager.locations.create({
      name: 'Hall',
      external_key: 'HALL',
      description: 'before',
      tags: [{ tag_type: 'barcode', value: 'hall-1' }],
    });
    const checked = await checkFile(manager, {
      kind: 'locations',
      columns: ['external_key', 'name', 'description', 'parent_external_key', 'barcode_tags'],
      rows: [['HALL', 'Hall', 'after', 'SITE', 'hall-1|hall-2']],
    });
    const { data } = await manager.imports.changes({ import_id: checked.id });
    expect(data).toEqual([
      {
        line: 2,
        id: hall.id,
        external_key: 'HALL',
        name: 'Hall',
        fields: [
          { column: 'description', before: 'before', after: 'after' },
          { column: 'parent_external_key', before: null, after: 'SITE' },
          { column: 'barcode_tags', before: 'hall-1', after: 'hall-1, hall-2' },
        ],
      },
    ]);
  });

  it('reports missing parents and cycles, also those through stored locations', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.locations.create({ name: 'A', external_key: 'A' });
    await manager.locations.create({ name: 'B', external_key: 'B', parent_external_key: 'A' });
    await manager.locations.create({ name: 'C', external_key: 'C', parent_external_key: 'B' });
    const checked = await checkFile(manager, {
      kind: 'locations',
      columns: ['external_key', 'name', 'parent_external_key'],
      rows: [
        ['A', 'A', 'C'],
        ['D', 'D', 'D'],
        ['E', 'E', 'NOWHERE'],
        ['F', 'below a circle', 'A'],
        ['G', 'fine', 'H'],
        ['H', 'fine', ''],
      ],
    });
    expect(await problemsOf(manager, checked)).toEqual([
      '2 parent_external_key: parent_external_key "C" would create a cycle through location A',
      '3 parent_external_key: parent_external_key "D" would create a self-referential cycle',
      '4 parent_external_key: parent_external_key "NOWHERE" not found',
    ]);
  });
});
