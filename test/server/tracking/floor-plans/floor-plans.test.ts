import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { addImage, createHall, outline } from './hall.js';

const world = await sharedScanWorld();

describe('a floor plan', () => {
  it('is set by managers, seen by everybody of the organization, and unknown to others', async () => {
    const { org, id } = await createHall(world);
    const viewer = await org.as('viewer');
    const plan = await viewer.floorPlans.get({ location_id: id });
    expect(plan).toMatchObject({ location_id: id, image: { width: 400, height: 200 }, shapes: [], coverage: [] });
    const change = { location_id: id, updated_at: plan?.updated_at ?? '' };
    for (const role of ['viewer', 'operator'] as const) {
      const { floorPlans } = await org.as(role);
      const calls = [
        floorPlans.set({ ...change, image_id: 1 }),
        floorPlans.setShapes({ ...change, shapes: [] }),
        floorPlans.remove(change),
      ];
      for (const call of calls) expect((await refusalOf(call)).type).toBe('forbidden');
    }
    const other = await world.organization();
    const missing = { type: 'not_found', detail: 'Location not found' };
    expect(await refusalOf(other.admin.floorPlans.get({ location_id: id }))).toEqual(missing);
    expect(await refusalOf(other.admin.floorPlans.state({ location_id: id }))).toEqual(missing);
    expect(await refusalOf(other.admin.floorPlans.remove(change))).toEqual(missing);
    expect(await other.admin.floorPlans.list()).toEqual([]);
    expect(await org.admin.floorPlans.get({ location_id: await org.location() })).toBeNull();
  });

  it('takes an image that was just uploaded for a plan, and no other', async () => {
    const { org, id, updated_at } = await createHall(world);
    const other = await world.organization();
    const used = (await org.admin.floorPlans.get({ location_id: id }))?.image.id ?? 0;
    for (const imageId of [
      used,
      await addImage(world, other.orgId),
      await addImage(world, org.orgId, 'photo'),
      2_000_000_000,
    ]) {
      const call = org.admin.floorPlans.set({ location_id: id, image_id: imageId, updated_at });
      expect(await refusalOf(call)).toMatchObject({ fields: [{ field: 'image_id', code: 'fk_not_found' }] });
    }
    expect(await world.db.image.count({ where: { orgId: org.orgId, isAttached: true } })).toBe(1);
  });

  it('keeps its shapes with another image, whose bytes take the place of the old ones', async () => {
    const { org, id, north, updated_at } = await createHall(world);
    const shapes = [{ location_id: north, points: outline }];
    const saved = await org.admin.floorPlans.setShapes({ location_id: id, updated_at, shapes });
    const next = await addImage(world, org.orgId);
    await org.admin.floorPlans.set({ location_id: id, image_id: next, updated_at: saved.updated_at });
    const plan = await org.admin.floorPlans.get({ location_id: id });
    expect([plan?.image.id, plan?.shapes.length]).toEqual([next, 1]);
    expect(await world.db.image.findMany({ where: { orgId: org.orgId }, select: { id: true } })).toEqual([
      { id: next },
    ]);
  });

  it('is changed by the first of two who know the same state; the other one is rejected', async () => {
    const { org, id, north, south, updated_at } = await createHall(world);
    const save = (locationId: number) =>
      org.admin.floorPlans.setShapes({
        location_id: id,
        updated_at,
        shapes: [{ location_id: locationId, points: outline }],
      });
    const settled = await Promise.allSettled([save(north), save(south)]);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const late = { type: 'conflict', detail: 'The floor plan was changed by somebody else; load it again' };
    expect(await refusalOf(save(south))).toEqual(late);
    const location = await org.location();
    const [one, other] = [await addImage(world, org.orgId), await addImage(world, org.orgId)];
    const first = (imageId: number) =>
      org.admin.floorPlans.set({ location_id: location, image_id: imageId, updated_at: null });
    const both = await Promise.allSettled([first(one), first(other)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a.localeCompare(b))).toEqual(['fulfilled', 'rejected']);
    expect(await world.db.image.count({ where: { orgId: org.orgId, isAttached: false } })).toBe(1);
  });

  it('is deleted with its image and shapes when it is removed', async () => {
    const { org, id, north, south, updated_at } = await createHall(world);
    const shapes = [
      { location_id: north, points: outline },
      { location_id: south, points: outline.slice(0, 1) },
    ];
    await org.admin.floorPlans.setShapes({ location_id: id, updated_at, shapes });
    await org.deleteLocation(south);
    expect((await org.admin.floorPlans.get({ location_id: id }))?.shapes.map(({ name }) => name)).toEqual(['North']);
    const plan = await org.admin.floorPlans.get({ location_id: id });
    await org.admin.floorPlans.remove({ location_id: id, updated_at: plan?.updated_at ?? '' });
    expect(await org.admin.floorPlans.get({ location_id: id })).toBeNull();
    const { orgId } = org;
    const left = [world.db.image, world.db.floorPlan, world.db.floorPlanShape].map((table) =>
      (table.count as (query: object) => Promise<number>)({ where: { orgId } }),
    );
    expect(await Promise.all(left)).toEqual([0, 0, 0]);
  });

  it('is in the activity log of its location', async () => {
    const { org, id, north, updated_at } = await createHall(world);
    const change = { location_id: id, updated_at };
    const saved = await org.admin.floorPlans.setShapes({
      ...change,
      shapes: [{ location_id: north, points: outline }],
    });
    const moved = [{ location_id: north, points: outline.toReversed() }];
    const again = await org.admin.floorPlans.setShapes({ ...change, ...saved, shapes: moved });
    const same = await org.admin.floorPlans.setShapes({ ...change, ...again, shapes: moved });
    await org.admin.floorPlans.remove({ ...change, ...same });
    const log = await org.admin.activity.list({ kind: 'location', object_id: String(id) });
    expect(log.data.map(({ action, before, after }) => ({ action, before, after }))).toMatchObject([
      { action: 'updated', before: { floor_plan: expect.stringMatching(/^Image \d+, 400 × 200 pixels$/) }, after: {} },
      { action: 'updated', before: {}, after: { floor_plan: 'Outlines or pins moved' } },
      { action: 'updated', before: {}, after: { on_floor_plan: ['North'] } },
      { action: 'updated', before: {}, after: { floor_plan: expect.stringMatching(/^Image/) } },
      { action: 'created' },
    ]);
  });
});

describe('shapes', () => {
  it('are of sublocations and readers of the organization', async () => {
    const { org, id, north, shelf, updated_at } = await createHall(world);
    const other = await world.organization();
    const reader = await org.reader({ name: 'Gate' });
    const foreign = await other.reader();
    const [elsewhere, pin] = [await org.location(), outline.slice(0, 1)];
    const save = (shapes: object[]) =>
      org.admin.floorPlans.setShapes({ location_id: id, updated_at, shapes: shapes as never });
    const refused = [
      [{ location_id: elsewhere, points: pin }, 'location_id'],
      [{ location_id: id, points: pin }, 'location_id'],
      [{ location_id: await other.location(), points: pin }, 'location_id'],
      [{ reader_id: foreign.id, points: pin }, 'reader_id'],
    ] as const;
    for (const [shape, field] of refused) {
      expect(await refusalOf(save([shape]))).toMatchObject({ fields: [{ field, code: 'fk_not_found' }] });
    }
    const malformed = [
      [{ points: pin }],
      [{ location_id: north, reader_id: reader.id, points: pin }],
      [{ location_id: north, points: outline.slice(0, 2) }],
      [{ location_id: north, points: [[0, 1.1]] }],
      [{ location_id: north, points: [[Number.NaN, 1]] }],
      [{ reader_id: reader.id, points: outline }],
      [
        { location_id: north, points: pin },
        { location_id: north, points: outline },
      ],
    ];
    for (const shapes of malformed) expect((await refusalOf(save(shapes))).type).toBe('validation_error');
    await save([
      { location_id: shelf, points: outline },
      { reader_id: reader.id, points: [[1 / 3, 1]] },
    ]);
    expect((await org.admin.floorPlans.get({ location_id: id }))?.shapes).toMatchObject([
      { location_id: null, reader_id: reader.id, name: 'Gate', points: [[0.33333, 1]] },
      { location_id: shelf, reader_id: null, name: 'Shelf', points: outline },
    ]);
    await org.admin.readers.delete({ id: reader.id });
    expect((await org.admin.floorPlans.get({ location_id: id }))?.shapes.map(({ name }) => name)).toEqual(['Shelf']);
  });

  it('are 1,000 at most, and an outline has 100 points at most', async () => {
    const { org, id, updated_at } = await createHall(world);
    const set = (shapes: { location_id: number; points: [number, number][] }[]) =>
      refusalOf(org.admin.floorPlans.setShapes({ location_id: id, updated_at, shapes }));
    const pins = Array.from({ length: 1001 }, (_, index) => ({ location_id: index + 1, points: outline.slice(0, 1) }));
    expect(await set(pins)).toMatchObject({ type: 'validation_error', fields: [{ field: 'shapes' }] });
    const points = Array.from({ length: 101 }, (): [number, number] => [0.5, 0.5]);
    const field = expect.stringContaining('points');
    expect(await set([{ location_id: id, points }])).toMatchObject({ type: 'validation_error', fields: [{ field }] });
  });

  it('are not shown while their location is elsewhere in the tree', async () => {
    const { org, id, north, shelf, updated_at } = await createHall(world);
    const shapes = [{ location_id: shelf, points: outline }];
    await org.admin.floorPlans.setShapes({ location_id: id, updated_at, shapes });
    const shown = async () => (await org.admin.floorPlans.get({ location_id: id }))?.shapes.length;
    expect(await shown()).toBe(1);
    await org.admin.locations.update({ location_id: shelf, parent_id: null });
    expect(await shown()).toBe(0);
    await org.admin.locations.update({ location_id: shelf, parent_id: north });
    expect(await shown()).toBe(1);
  });
});
