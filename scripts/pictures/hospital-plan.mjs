/** The floor plan of the hospital's main building. */
import sharp from 'sharp';

/** The ground that the plan shows, in decimeters. */
const ground = { width: 1600, height: 900 };

/** The rooms: left, top, width and height. */
const rooms = {
  Emergency: [60, 60, 440, 320],
  Radiology: [520, 60, 340, 320],
  'Operating room 1': [880, 60, 320, 320],
  'Operating room 2': [1220, 60, 320, 320],
  'Loading dock': [60, 520, 280, 320],
  'Ward A': [360, 520, 340, 320],
  'Ward B': [720, 520, 340, 320],
  'Intensive care': [1080, 520, 220, 320],
  Recovery: [1320, 520, 220, 320],
};

const beds = { Emergency: 6, 'Ward A': 5, 'Ward B': 5, 'Intensive care': 3, Recovery: 3 };

function planSvg() {
  const shapes = Object.entries(rooms).flatMap(([name, [left, top, width, height]]) => {
    const isNorth = top < 400;
    const door = { x: left + width / 2 - 45, y: isNorth ? top + height - 8 : top - 8 };
    return [
      `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#ffffff" stroke="#3a474f" stroke-width="8"/>`,
      `<rect x="${door.x}" y="${door.y}" width="90" height="16" fill="#c9a227"/>`,
      ...Array.from({ length: beds[name] ?? 0 }, (_, n) => {
        const step = width / beds[name];
        const y = isNorth ? top + 20 : top + height - 110;
        return `<rect x="${left + step * (n + 0.5) - 22}" y="${y}" width="44" height="90" rx="6" fill="#e7eef0" stroke="#9aa7ae" stroke-width="3"/>`;
      }),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${ground.width}" height="${ground.height}">`,
    '<rect width="100%" height="100%" fill="#f4f6f7"/>',
    '<rect x="40" y="40" width="1520" height="820" fill="#eef2f3" stroke="#3a474f" stroke-width="14"/>',
    ...shapes,
    '</svg>',
  ].join('');
}

/** Gives the building its plan, with an outline for each of its rooms. */
export async function makePlan({ call, upload }, { buildingId, locations }) {
  const { id } = await upload('plan', await sharp(Buffer.from(planSvg())).png().toBuffer());
  const plan = await call('floorPlans.set', { location_id: buildingId, image_id: id, updated_at: null });
  const shapes = locations
    .filter(({ name }) => name in rooms)
    .map((room) => ({ location_id: room.id, points: outlineOf(rooms[room.name]) }));
  await call('floorPlans.setShapes', { location_id: buildingId, updated_at: plan.updated_at, shapes });
}

function outlineOf([left, top, width, height]) {
  return [
    [left, top],
    [left + width, top],
    [left + width, top + height],
    [left, top + height],
  ].map(([x, y]) => [x / ground.width, y / ground.height]);
}
