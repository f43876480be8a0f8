import { describe, expect, it } from 'vitest';
import { type AppCaller, sharedScanWorld } from '../../../support/scan-world.js';
import { applyChecked, checkFile, importFile, problemsOf } from './import-file.js';

// The column `container_external_key` says which asset each asset is in; an empty cell takes it out.

const world = await sharedScanWorld();

const columns = ['external_key', 'name', 'container_external_key'];

/** A row of an asset that is named like its key. */
const row = (key: string, container = '') => [key, key, container];

/** The containers of all assets, by the keys of the assets; assets in none are left out. */
async function containersIn(caller: AppCaller): Promise<Record<string, string>> {
  const { data } = await caller.assets.exportPage({});
  return Object.fromEntries(
    data.flatMap(({ external_key: key, container_external_key: container }) => (container ? [[key, container]] : [])),
  );
}

describe('imported containers', () => {
  it('can be on any line, hold what is new and what is stored, and an export imports again unchanged', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await org.asset({ name: 'Cart 7', externalKey: 'CART-7' });
    const file = {
      columns,
      rows: [
        row('BOX-1', 'CASE-1'),
        row('BOX-2', 'CART-7'),
        row('CASE-1', 'CART-7'),
        row('LOOSE'),
        row('PEN', 'BOX-1'),
      ],
    };
    const checked = await checkFile(manager, file);
    expect(checked).toMatchObject({ to_create: 5, problem_count: 0, warning_count: 0 });
    expect(await problemsOf(manager, checked)).toEqual([
      '2 container_external_key: 1 assets are put into CASE-1',
      '3 container_external_key: 2 assets are put into CART-7',
      '6 container_external_key: 1 assets are put into BOX-1',
    ]);
    expect(await applyChecked(manager, checked)).toMatchObject({ status: 'applied' });
    const stored = { 'BOX-1': 'CASE-1', 'BOX-2': 'CART-7', 'CASE-1': 'CART-7', PEN: 'BOX-1' };
    expect(await containersIn(manager)).toEqual(stored);
    const { data } = await manager.assets.exportPage({});
    const exported = data.map((one) => [one.external_key, one.name, one.container_external_key ?? '']);
    expect(await checkFile(manager, { columns, rows: exported })).toMatchObject({ unchanged: 6, to_change: 0 });
    // A file without the column leaves everything where it is.
    await importFile(manager, { columns: ['external_key', 'name'], rows: [['PEN', 'Pen']] });
    expect(await containersIn(manager)).toEqual(stored);
  });

  it('swap places in one file, whatever the order of its lines', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await importFile(manager, { columns, rows: [row('INNER', 'OUTER'), row('OUTER', 'TOP'), row('TOP')] });
    const swapped = await importFile(manager, { columns, rows: [row('OUTER', 'INNER'), row('INNER', 'TOP')] });
    expect(swapped).toMatchObject({ status: 'applied', to_change: 2 });
    expect(await containersIn(manager)).toEqual({ OUTER: 'INNER', INNER: 'TOP' });
  });

  it('bring what is put into them to where they are, with what is in it', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const ward = await org.location({ name: 'Ward', externalKey: 'WARD' });
    await importFile(manager, {
      columns: [...columns, 'place_at'],
      rows: [
        [...row('BOX', 'CASE'), ''],
        [...row('CASE', 'CART'), ''],
        [...row('CART'), 'WARD'],
      ],
    });
    const { data } = await manager.assets.table({ location_id: ward, sort: 'name' });
    expect(data.map(({ name }) => name)).toEqual(['BOX', 'CART', 'CASE']);
  });

  it('are refused with a clear error: unknown, in themselves, too deep, too many', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    await importFile(manager, { columns, rows: [row('L1'), row('L2', 'L1'), row('L3', 'L2'), row('L4', 'L3')] });
    const wrong = await checkFile(manager, {
      columns,
      rows: [row('A', 'NOWHERE'), row('B', 'B'), row('C', 'D'), row('D', 'C'), row('L5', 'L4'), row('L6', 'L5')],
    });
    expect(await problemsOf(manager, wrong)).toEqual([
      '2 container_external_key: container_external_key "NOWHERE" not found',
      '3 container_external_key: container_external_key "B" is in the asset itself',
      '4 container_external_key: container_external_key "D" is in the asset itself',
      '5 container_external_key: container_external_key "C" is in the asset itself',
      '7 container_external_key: assets can be in each other at most 4 levels deep',
      '3 container_external_key: 1 assets are put into B',
      '4 container_external_key: 1 assets are put into D',
      '5 container_external_key: 1 assets are put into C',
      '6 container_external_key: 1 assets are put into L4',
      '7 container_external_key: 1 assets are put into L5',
    ]);
    const contents = Array.from({ length: 1000 }, (_, index) => row(`I${index}`, 'L1'));
    // L2 is in it already.
    const full = await checkFile(manager, { columns, rows: contents });
    expect((await problemsOf(manager, full))[0]).toBe(
      '1001 container_external_key: container_external_key "L1" can hold at most 1000 assets',
    );
  });

  it('of another organization are not found', async () => {
    const [org, other] = [await world.organization(), await world.organization()];
    await other.asset({ externalKey: 'CART' });
    const manager = await org.as('manager');
    const wrong = await checkFile(manager, { columns, rows: [row('BOX', 'CART')] });
    expect((await problemsOf(manager, wrong))[0]).toBe(
      '2 container_external_key: container_external_key "CART" not found',
    );
  });
});

type EpcisEvent = { action: 'ADD' | 'OBSERVE' | 'DELETE'; parentID: string; childEPCs?: string[] };

/** The examples of EPCIS 2.0 that are about instances: JSON/Example_9.6.3-AggregationEvent and JSON/AssociationEvent of gs1/EPCIS. */
const observed: EpcisEvent = {
  action: 'OBSERVE',
  parentID: 'urn:epc:id:sscc:0614141.1234567890',
  childEPCs: ['urn:epc:id:sgtin:0614141.107346.2017', 'urn:epc:id:sgtin:0614141.107346.2018'],
};
const grai = 'urn:epc:id:grai:4012345.55555.987';
const assembled: EpcisEvent = { action: 'ADD', parentID: grai, childEPCs: ['urn:epc:id:giai:4000001.12345'] };
const removed: EpcisEvent = { ...assembled, action: 'DELETE' };
/** Without children it is about all of them. */
const disassembled: EpcisEvent = { action: 'DELETE', parentID: grai };

describe('the examples of EPCIS for containers', () => {
  const keyOf = (epc: string) => epc.replace('urn:epc:id:', '').replaceAll(/[:.]/g, '-');
  const epcColumns = [...columns, 'rfid_tags'];

  /** The file that says the same as an event. `inside` has the contents of the parent before it, for an event about all of them. */
  const fileOf = ({ action, parentID, childEPCs }: EpcisEvent, inside: readonly string[] = []) => {
    const container = action === 'DELETE' ? '' : keyOf(parentID);
    return {
      columns: epcColumns,
      rows: [
        [...row(keyOf(parentID)), parentID],
        ...(childEPCs ?? inside).map((epc) => [...row(keyOf(epc), container), epc]),
      ],
    };
  };

  it('import as files: ADD and OBSERVE put in, DELETE takes out, one child or all', async () => {
    const org = await world.organization();
    const manager = await org.as('manager');
    const [child = ''] = assembled.childEPCs ?? [];
    expect(await importFile(manager, fileOf(observed))).toMatchObject({ status: 'applied', to_create: 3 });
    expect(await importFile(manager, fileOf(assembled))).toMatchObject({ status: 'applied', to_create: 2 });
    const seen = {
      'sgtin-0614141-107346-2017': 'sscc-0614141-1234567890',
      'sgtin-0614141-107346-2018': 'sscc-0614141-1234567890',
    };
    expect(await containersIn(manager)).toEqual({ ...seen, 'giai-4000001-12345': 'grai-4012345-55555-987' });
    // An observation of what is known changes nothing.
    expect(await checkFile(manager, fileOf(observed))).toMatchObject({ unchanged: 3, to_change: 0 });

    expect(await importFile(manager, fileOf(removed))).toMatchObject({ status: 'applied', to_change: 1 });
    expect(await containersIn(manager)).toEqual(seen);
    await importFile(manager, fileOf(assembled));
    expect(await importFile(manager, fileOf(disassembled, [child]))).toMatchObject({ to_change: 1 });
    expect(await containersIn(manager)).toEqual(seen);
  });
});
