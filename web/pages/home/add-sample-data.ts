import { t } from '@lingui/core/macro';
import { ulid } from 'ulid';
import type { Files } from '../../api/files.js';
import type { Api } from '../../api/trpc.js';

/** The size of the drawn image, in pixels. */
const plan = { width: 1200, height: 800 };

type Area = { name: string; left: number; top: number; right: number; bottom: number };

/** The areas as fractions of the image, with gaps between them for the walls. */
const areas: readonly Area[] = [
  { name: t`Goods in`, left: 0.03, top: 0.05, right: 0.3, bottom: 0.95 },
  { name: t`Storage`, left: 0.33, top: 0.05, right: 0.97, bottom: 0.55 },
  { name: t`Workshop`, left: 0.33, top: 0.61, right: 0.62, bottom: 0.95 },
  { name: t`Shipping`, left: 0.65, top: 0.61, right: 0.97, bottom: 0.95 },
];

/** The sample assets, each with the index of its area. */
const things: readonly { name: string; area: number }[] = [
  { name: t`Pallet truck 1`, area: 0 },
  { name: t`Pallet truck 2`, area: 3 },
  { name: t`Forklift`, area: 1 },
  { name: t`Ladder`, area: 1 },
  { name: t`Cordless drill`, area: 2 },
  { name: t`Torque wrench`, area: 2 },
  { name: t`Label printer`, area: 3 },
  { name: t`Roll container`, area: 0 },
];

/** Fills an empty organization with a small warehouse: locations on a floor plan, and assets at them. */
export async function addSampleData(api: Api, files: Files): Promise<void> {
  const sample = await api.sampleData.add.mutate({
    site: t`Sample warehouse`,
    locations: areas.map(({ name }) => sampleName(name)),
    assets: things.map(({ name }) => sampleName(name)),
    description: t`Sample data. Remove it on the page Home.`,
  });
  const { id: imageId } = await files.uploadImage(await drawPlan(), { kind: 'plan' });
  const target = { location_id: sample.site };
  const { updated_at } = await api.floorPlans.set.mutate({ ...target, image_id: imageId, updated_at: null });
  const shapes = areas.map((area, index) => ({ location_id: sample.locations[index] ?? 0, points: cornersOf(area) }));
  await api.floorPlans.setShapes.mutate({ ...target, updated_at, shapes });
  for (const [index, locationId] of sample.locations.entries()) {
    const reads = sample.assets
      .filter((_, thing) => things[thing]?.area === index)
      .map((assetId) => ({ asset_id: assetId }));
    await api.scans.submit.mutate({ submission_id: ulid(), location_id: locationId, reads });
  }
}

function sampleName(name: string): string {
  return t`${name} (sample)`;
}

function cornersOf({ left, top, right, bottom }: Area): [number, number][] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** Walls and shelves of the warehouse. The names of the areas are labels of the app, in the language of each person. */
async function drawPlan(): Promise<Blob> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, plan);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser does not draw images');
  const { width, height } = plan;
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, width, height);
  pen.strokeStyle = '#5b6770';
  pen.lineWidth = 10;
  pen.strokeRect(15, 15, width - 30, height - 30);
  pen.lineWidth = 6;
  for (const { left, top, right, bottom } of areas) {
    pen.strokeRect(
      (left - 0.008) * width,
      (top - 0.012) * height,
      (right - left + 0.016) * width,
      (bottom - top + 0.024) * height,
    );
  }
  pen.fillStyle = '#d5dade';
  for (let shelf = 0; shelf < 6; shelf += 1)
    pen.fillRect((0.38 + shelf * 0.1) * width, 0.15 * height, 0.05 * width, 0.3 * height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the plan was not drawn'))), 'image/png');
  });
}
