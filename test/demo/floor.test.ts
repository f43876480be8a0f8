import { expect, it } from 'vitest';
import { floor, floorSvg, ground } from '../../demo/floor.js';
import { zones } from '../../demo/site.js';

it('draws every zone but the site on the ground, inside the zone that it belongs to', () => {
  expect(new Set(floor.keys())).toEqual(new Set(zones.map(({ key }) => key).filter((key) => key !== 'SITE')));
  for (const { key, parent } of zones) {
    const inner = floor.get(key);
    if (!inner) continue;
    const outer = floor.get(parent ?? '') ?? { left: 0, top: 0, ...ground };
    expect(inner.left, key).toBeGreaterThanOrEqual(outer.left);
    expect(inner.top, key).toBeGreaterThanOrEqual(outer.top);
    expect(inner.left + inner.width, key).toBeLessThanOrEqual(outer.left + outer.width);
    expect(inner.top + inner.height, key).toBeLessThanOrEqual(outer.top + outer.height);
  }
  expect(floorSvg()).toMatch(/^<svg .*<\/svg>$/);
});
