import { departureKindOf, saysGone } from '../../server/index.js';
import { type Frame, isFrame } from './json-frames.js';

/** Objects in the object of a tag that are looked into: of more levels, none speaks of the tag. */
const levelsMax = 3;

/** Returns whether the object of a tag, or an object in it, says that the tag is gone. */
export function isGone(item: unknown): boolean {
  return isFrame(item) && (speaks(item, true) || isGoneWithin(item, levelsMax));
}

function isGoneWithin(object: Frame, levels: number): boolean {
  for (const key of Object.keys(object)) {
    const inner = object[key];
    if (typeof inner !== 'object' || !isFrame(inner)) continue;
    if (speaks(inner, false) || (levels > 1 && isGoneWithin(inner, levels - 1))) return true;
  }
  return false;
}

/** Returns whether an object around a list says that the tags in the list are gone. */
export function isGoneAround(object: unknown): boolean {
  return isFrame(object) && speaks(object, false);
}

/** Returns a function that tells whether an object around a part of a message says that the tags in the part are gone. */
export function departuresAround(message: unknown): (part: unknown) => boolean {
  const inside = new Set<unknown>();
  visit(message, false);
  const isAll = isGoneAround(message);
  return (part) => isAll || inside.has(part);

  function visit(value: unknown, isInside: boolean): void {
    if (typeof value !== 'object' || value === null) return;
    if (isInside) inside.add(value);
    const isGoneHere = isInside || isGoneAround(value);
    for (const inner of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) visit(inner, isGoneHere);
  }
}

function speaks(object: Frame, isOfTag: boolean): boolean {
  for (const key of Object.keys(object)) {
    const kind = departureKindOf(key);
    if (kind !== undefined && (kind !== 'reason' || isOfTag) && saysGone(kind, object[key])) return true;
  }
  return false;
}
