import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { applyChecked, checkFile, importFile, problemsOf } from './import-file.js';

const world = await sharedScanWorld();

describe('a file of assets', () => {
  it('is checked without changing anything, then applied whole', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const columns = ['external_key', 'name', 'is_active', 'metadata', 'valid_from', 'rfid_tags', 'barcode_tags'];
    const rows = [
      ['A-1', 'Forklift', 'TRUE', '{"color":"red"}', '2026-01-01T00:00:00Z', 'E28011|E28012', ''],
      ['', 'Pallet 🚚', 'false', '', '', '', 'a\\|b'],
      ['ASSET-0001', '=HYPERLINK("x")', '', '', '', '', ''],
    ];
    const checked = await checkFile(manager, { columns, rows });
    expect(checked).toMatchObject({
      status: 'checked',
      to_create: 3,
      to_change: 0,
      unchanged: 0,
      problem_count: 0,
      failure: null,
    });
    expect(await world.db.asset.count({ where: { orgId: org.orgId } })).toBe(0);
    const applied = await applyChecked(manager, checked);
    expect(applied).toMatchObject({ status: 'applied', to_create: 3, finished_at: expect.any(String) });
    const { data } = await manager.assets.list({ sort: 'external_key' });
    expect(data.map(({ id: _id, created_at: _c, updated_at: _u, ...asset }) => asset)).toMatchObject([
      {
        external_key: 'A-1',
        name: 'Forklift',
        is_active: true,
        metadata: { color: 'red' },
        valid_from: '2026-01-01T00:00:00.000Z',
        tags: [
          { tag_type: 'rfid', value: 'E28011' },
          { tag_type: 'rfid', value: 'E28012' },
        ],
      },
      { external_key: 'ASSET-0001', name: '=HYPERLINK("x")', is_active: true, metadata: {}, tags: [] },
      {
        external_key: 'ASSET-0002',
        name: 'Pallet 🚚',
        is_active: false,
        tags: [{ tag_type: 'barcode', value: 'a|b' }],
      },
    ]);
    expect(await world.db.importRow.count({ where: { orgId: org.orgId } })).toBe(0);
    // What the triggers keep agrees with what is there.
    expect((await manager.assets.list({ sort: 'external_key' })).total_count).toBe(3);
    const next = await manager.assets.create({ name: 'Next' });
    expect(next.data.external_key).toBe('ASSET-0003');
  });

  it('reports the errors of each line, in the words of the API', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.assets.create({ name: 'Other', external_key: 'OTHER', tags: [{ tag_type: 'rfid', value: 'TAKEN' }] });
    await manager.locations.create({ name: 'Hall', tags: [{ tag_type: 'ble', value: 'HALL' }] });
    const columns = ['external_key', 'name', 'is_active', 'metadata', 'valid_to', 'rfid_tags', 'ble_tags'];
    const checked = await checkFile(manager, {
      columns,
      rows: [
        ['A 1', '', 'maybe', '[1]', 'tomorrow', '', ''],
        ['A-2', 'x\ny', '', '{', '', '', ''],
        ['A-3', 'fine', '', '', '', 'TAKEN', 'HALL'],
        ['A-3', 'again', '', '', '', 'TWICE|TWICE', ''],
        ['A-4', 'too', '', '', '0001-01-01T00:00:00Z', 'TWICE', ''],
        ['A-5', 'tags', '', '', '', 'ok|', ''],
        ['A-6', 'twice', '', '', '', 'TWICE', ''],
        ['A-7', 'deep', '', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, '', '', ''],
        // Text that a parser without a limit would read for a second.
        ['A-8', 'deeper', '', '['.repeat(500_000), '', '', ''],
      ],
    });
    expect(checked).toMatchObject({ status: 'checked', problem_count: 17, problem_lines: 9 });
    expect(await problemsOf(manager, checked)).toEqual([
      '2 external_key: external_key must match ^[A-Za-z0-9-]+$: letters, digits and hyphens only',
      '2 name: name must be at least 1 character(s)',
      "2 is_active: is_active must be 'true' or 'false'",
      '2 metadata: metadata must be object; received array',
      '2 valid_to: valid_to must be an RFC 3339 timestamp',
      String.raw`3 name: name must match ^\S(?:[^\x00-\x1F\x7F]*\S)?$: no control characters, no white space at the ends`,
      '3 metadata: metadata must be a JSON object, such as {"color":"red"}',
      '4 rfid_tags: tag rfid:TAKEN already exists',
      '4 ble_tags: tag ble:HALL already exists',
      '5 external_key: external_key A-3 duplicates line 4',
      '5 rfid_tags: tag rfid:TWICE duplicates line 5',
      '6 valid_to: valid_to must not be a default-value sentinel (0001-01-01T00:00:00Z); omit the field or send a real timestamp',
      '6 rfid_tags: tag rfid:TWICE duplicates line 5',
      '7 rfid_tags: a tag of rfid_tags: value must be at least 1 character(s)',
      '8 rfid_tags: tag rfid:TWICE duplicates line 5',
      '9 metadata: metadata is nested too deeply',
      '10 metadata: metadata is nested too deeply',
    ]);
    const refusal = await refusalOf(manager.imports.applyFile({ import_id: checked.id }));
    expect(refusal).toMatchObject({ type: 'conflict', detail: expect.stringContaining('has problems') });
    const page = await manager.imports.problems({ import_id: checked.id, column: 'rfid_tags', limit: 2 });
    expect(page).toMatchObject({ total_count: 5, data: [{ line: 4 }, { line: 5, column: 'rfid_tags' }] });
  });

  it('reports all errors of a line at once, and what the others would change', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await org.asset({ tags: [['rfid', 'TAKEN']] });
    const { data: known } = await manager.assets.create({
      name: 'Known',
      external_key: 'K-1',
      description: 'before',
      metadata: { a: 1 },
      valid_from: '2026-01-01T00:00:00Z',
      tags: [{ tag_type: 'rfid', value: 'OWN' }],
    });
    const columns = ['external_key', 'name', 'description', 'is_active', 'metadata', 'valid_from', 'rfid_tags'];
    const wrong = await checkFile(manager, {
      columns,
      rows: [
        ['K-1', '', '', '', '', '', 'TAKEN|OWN'],
        ['N-2', 'two', '', 'maybe', '', '', 'SAME'],
        ['N-2', 'three', '', '', '[]', '', 'SAME'],
      ],
    });
    expect(await problemsOf(manager, wrong)).toEqual([
      '2 name: name must be at least 1 character(s)',
      '2 rfid_tags: tag rfid:TAKEN already exists',
      "3 is_active: is_active must be 'true' or 'false'",
      '4 external_key: external_key N-2 duplicates line 3',
      '4 metadata: metadata must be object; received array',
      '4 rfid_tags: tag rfid:SAME duplicates line 3',
    ]);

    const right = await checkFile(manager, {
      columns,
      rows: [
        [' K-1 ', ' Known ', 'after', '', '{"a":1,"b":2}', '', 'OWN|NEW'],
        ['', 'new one', '', '', '', '', ''],
      ],
    });
    expect(right).toMatchObject({ to_create: 1, to_change: 1, problem_count: 0 });
    const changes = await manager.imports.changes({ import_id: right.id });
    expect(changes).toMatchObject({
      total_count: 1,
      data: [{ line: 2, id: known.id, external_key: 'K-1', name: 'Known' }],
    });
    expect(changes.data[0]?.fields).toEqual([
      { column: 'description', before: 'before', after: 'after' },
      { column: 'metadata', before: '{"a":1}', after: '{"a":1,"b":2}' },
      { column: 'rfid_tags', before: 'OWN', after: 'NEW, OWN' },
    ]);
    const outsider = await (await world.organization()).as('manager');
    expect(await refusalOf(outsider.imports.changes({ import_id: right.id }))).toMatchObject({ type: 'not_found' });
    const viewer = await org.as('viewer');
    expect(await refusalOf(viewer.imports.changes({ import_id: right.id }))).toMatchObject({ type: 'forbidden' });
  });

  it('shows the beginning of large custom details, if they differ anywhere', async () => {
    const manager = await (await world.organization()).as('manager');
    const long = 'x'.repeat(600);
    const same = { long, end: 1 };
    await manager.assets.create({ name: 'Old', external_key: 'SAME', metadata: same });
    await manager.assets.create({ name: 'Old', external_key: 'OTHER', metadata: { long, end: 2 } });
    const text = JSON.stringify(same);
    const checked = await checkFile(manager, {
      columns: ['external_key', 'name', 'metadata'],
      rows: [
        ['SAME', 'New', text],
        ['OTHER', 'New', text],
      ],
    });
    const { data } = await manager.imports.changes({ import_id: checked.id });
    const name = { column: 'name', before: 'Old', after: 'New' };
    const start = text.slice(0, 500);
    expect(data.map(({ fields }) => fields)).toEqual([
      [name],
      [name, { column: 'metadata', before: start, after: start }],
    ]);
  });

  it('changes an asset to exactly its row, and leaves fields without a column as they are', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const { data: before } = await manager.assets.create({
      name: 'Forklift',
      external_key: 'A-1',
      description: 'yellow',
      metadata: { b: 1, a: [1.5, 'x'] },
      tags: [
        { tag_type: 'rfid', value: 'R1' },
        { tag_type: 'rfid', value: 'R2' },
        { tag_type: 'ble', value: 'B1' },
      ],
    });
    const { data: other } = await manager.assets.create({
      name: 'Crate',
      external_key: 'A-2',
      tags: [{ tag_type: 'rfid', value: 'R3' }],
    });
    const applied = await importFile(manager, {
      columns: ['name', 'rfid_tags', 'external_key', 'metadata'],
      rows: [
        ['Forklift 2', 'R3|R2', 'A-1', '{ "a": [15e-1, "x"], "b": 1 }'],
        ['Crate', 'R1', 'A-2', ''],
      ],
    });
    expect(applied).toMatchObject({ status: 'applied', to_create: 0, to_change: 2, unchanged: 0 });
    const after = (await manager.assets.get({ asset_id: before.id })).data;
    expect(after).toMatchObject({ name: 'Forklift 2', description: 'yellow', metadata: { b: 1, a: [1.5, 'x'] } });
    expect(after.tags.map(({ tag_type, value }) => `${tag_type}:${value}`)).toEqual(['rfid:R2', 'ble:B1', 'rfid:R3']);
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    const second = (await manager.assets.get({ asset_id: other.id })).data;
    // Only its tags changed, which leave the concurrency token alone.
    expect(second.updated_at).toBe(other.updated_at);
    expect(second.tags.map(({ value }) => value)).toEqual(['R1']);
  });

  it('has columns of single custom details, which leave the other details as they are', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await manager.assets.create({
      external_key: 'P-1',
      name: 'Pump',
      metadata: { serial: 12, owner: 'Ward 3', '1e2': 1.0 },
    });
    const large = { note: 'x'.repeat(16_000) };
    await manager.assets.create({ external_key: 'P-2', name: 'Large', metadata: large });
    const columns = ['external_key', 'name', 'detail:serial', 'detail:Cost center', 'detail:"quoted"'];
    const rows = [
      ['P-1', 'Pump', '12', ' 4711 ', ''],
      ['P-3', 'New', '', '4712', 'a "b"'],
      ['P-4', 'Newer', '', '', ''],
    ];
    const checked = await checkFile(manager, { columns, rows });
    expect(checked).toMatchObject({ to_create: 2, to_change: 1, problem_count: 0 });
    const { data: changes } = await manager.imports.changes({ import_id: checked.id });
    expect(changes).toMatchObject([
      { external_key: 'P-1', fields: [{ column: 'detail:Cost center', before: null, after: '4711' }] },
    ]);
    await applyChecked(manager, checked);
    const { data } = await manager.assets.list({ sort: 'external_key' });
    expect(data.map(({ metadata }) => metadata)).toEqual([
      { serial: 12, owner: 'Ward 3', '1e2': 1, 'Cost center': '4711' },
      large,
      { 'Cost center': '4712', '"quoted"': 'a "b"' },
      {},
    ]);
    expect(await checkFile(manager, { columns, rows })).toMatchObject({ to_create: 0, to_change: 0, unchanged: 3 });

    const both = {
      columns: ['external_key', 'name', 'metadata', 'detail:serial'],
      rows: [['P-1', 'Pump', '{"a":1}', '13']],
    };
    await importFile(manager, both);
    expect((await manager.assets.list({ sort: 'external_key' })).data[0]?.metadata).toEqual({ a: 1, serial: '13' });

    const tooLarge = await checkFile(manager, {
      columns: ['external_key', 'name', 'detail:more'],
      rows: [['P-2', 'Large', 'y'.repeat(400)]],
    });
    expect(await problemsOf(manager, tooLarge)).toEqual(['2 metadata: metadata must be at most 16384 bytes of JSON']);
    for (const column of ['detail:', `detail:${'n'.repeat(256)}`]) {
      const create = manager.imports.create({
        kind: 'assets',
        file_name: 'a.csv',
        columns: ['name', column],
        row_count: 1,
      });
      expect((await refusalOf(create)).fields?.[0]?.message).toContain('unknown column');
    }
  });
});
