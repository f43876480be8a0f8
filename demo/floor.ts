import { zones } from './site.js';

/** A rectangle on the ground of the warehouse, in meters from its northwest corner. */
export type Rectangle = { left: number; top: number; width: number; height: number };

/** The ground that the plan shows, in meters. */
export const ground = { width: 120, height: 74 };

/** Between zones that are next to each other, in meters. */
const gap = 0.6;

/** Where each zone is; a zone that belongs to another zone is inside it. */
export const floor: ReadonlyMap<string, Rectangle> = new Map(
  Object.entries({
    YARD: at([2, 4], [17, 66]),
    MAIN: at([22, 4], [77, 49]),
    IN: at([23.5, 8], [18, 22]),
    ...stacked(['DOCK-1', 'DOCK-2', 'DOCK-3', 'INSPECT'], at([24.5, 12], [16, 17])),
    OUT: at([23.5, 31], [18, 21]),
    ...stacked(['PACK', 'DOCK-5', 'DOCK-6', 'DOCK-7'], at([24.5, 35], [16, 16])),
    STORE: at([44, 8], [36, 26]),
    ...beside(
      ['AISLE-A', 'AISLE-B', 'AISLE-C', 'AISLE-D', 'AISLE-E', 'AISLE-F', 'AISLE-G', 'AISLE-H'],
      at([45, 12], [34, 21]),
    ),
    PICK: at([44, 35.5], [36, 16.5]),
    ...beside(['PICK-1', 'PICK-2', 'PICK-3', 'PICK-4'], at([45, 39.5], [34, 11.5])),
    CHARGE: at([83, 8], [14, 11]),
    COLD: at([101, 4], [17, 49]),
    ...stacked(['AIRLOCK', 'COLD-1', 'COLD-2', 'COLD-3'], at([102, 8], [15, 44])),
    SHOP: at([22, 55], [38, 15]),
    ...beside(['CRIB', 'BENCH-1', 'BENCH-2'], at([23, 59], [36, 10])),
    OFFICE: at([62, 55], [37, 15]),
    ...beside(['DISPATCH', 'IT'], at([63, 59], [35, 10])),
  }),
);

function at([left, top]: Pair, [width, height]: Pair): Rectangle {
  return { left, top, width, height };
}

type Pair = readonly [x: number, y: number];

/** Zones one below the other in a rectangle. */
function stacked(keys: readonly string[], { left, top, width, height }: Rectangle): Record<string, Rectangle> {
  const step = height / keys.length;
  return Object.fromEntries(keys.map((key, index) => [key, at([left, top + index * step], [width, step - gap])]));
}

/** Zones side by side in a rectangle. */
function beside(keys: readonly string[], { left, top, width, height }: Rectangle): Record<string, Rectangle> {
  const step = width / keys.length;
  return Object.fromEntries(keys.map((key, index) => [key, at([left + index * step, top], [step - gap, height])]));
}

/** The outline of each zone on the plan, in fractions of its width and height. */
export function outlines(): { zone: string; points: [x: number, y: number][] }[] {
  return [...floor].map(([zone, { left, top, width, height }]) => {
    const [x, y] = [left / ground.width, top / ground.height];
    const [right, bottom] = [(left + width) / ground.width, (top + height) / ground.height];
    return {
      zone,
      points: [
        [x, y],
        [right, y],
        [right, bottom],
        [x, bottom],
      ],
    };
  });
}

/** Pixels of a meter. */
const scale = 20;

const buildings = ['MAIN', 'COLD', 'SHOP', 'OFFICE'];

/** The plan of the warehouse as an SVG: ground, buildings with their walls, racks, docks and rooms. */
export function floorSvg(): string {
  const rooms = zones.flatMap(({ key }) => {
    const rectangle = floor.get(key);
    if (!rectangle || buildings.includes(key) || key === 'YARD') return [];
    return key.startsWith('AISLE-')
      ? racks(rectangle)
      : [box(rectangle, 'fill="none" stroke="#9aa7ae" stroke-width="0.12"')];
  });
  const walls = buildings.flatMap((key) => {
    const rectangle = floor.get(key);
    return rectangle ? [box(rectangle, 'fill="#ffffff" stroke="#3a474f" stroke-width="0.5"')] : [];
  });
  const doors = ['DOCK-1', 'DOCK-2', 'DOCK-3', 'DOCK-5', 'DOCK-6', 'DOCK-7'].flatMap((key) => {
    const rectangle = floor.get(key);
    if (!rectangle) return [];
    const { top, height } = rectangle;
    return [
      box(at([21.6, top + height / 4], [0.8, height / 2]), 'fill="#c9a227"'),
      box(at([11, top], [9.5, height - 0.4]), 'fill="#dde2e5"'),
    ];
  });
  const yard = floor.get('YARD');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${ground.width * scale}" height="${ground.height * scale}" viewBox="0 0 ${ground.width} ${ground.height}">`,
    `<rect width="100%" height="100%" fill="#f4f6f7"/>`,
    yard ? box(yard, 'fill="#e9edef" stroke="#9aa7ae" stroke-width="0.15" stroke-dasharray="1 0.6"') : '',
    ...walls,
    ...doors,
    ...rooms,
    '</svg>',
  ].join('');
}

function box({ left, top, width, height }: Rectangle, style: string): string {
  return `<rect x="${left}" y="${top}" width="${width}" height="${height}" ${style}/>`;
}

/** Racks along both sides of an aisle. */
function racks({ left, top, width, height }: Rectangle): string[] {
  const style = 'fill="#cfe0e4" stroke="#5f7f88" stroke-width="0.1"';
  const depth = width * 0.26;
  return [box(at([left, top], [depth, height]), style), box(at([left + width - depth, top], [depth, height]), style)];
}
