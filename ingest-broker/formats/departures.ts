import { departureKindOf, reportsGone } from '../../server/parsing.js';
import { type Frame, isFrame } from './json-frames.js';

/** The most levels of objects in the object of a tag that are read: deeper ones are not about the tag. */
const levelsMax = 3;

/** Returns whether the object of a tag, or an object in it, reports that the tag is gone. */
export function isGone(item: unknown): boolean {
  return isFrame(item) && isGoneIn(item, levelsMax);
}

function isGoneIn(object: Frame, levels: number): boolean {
  // The fastest loop over the fields of parsed JSON, whose prototype has none.
  for (const key in object) {
    const value = object[key];
    if (typeof value === 'object') {
      if (levels > 0 && isFrame(value) && isGoneIn(value, levels - 1)) return true;
    } else if (speaks(key, value, levels === levelsMax)) return true;
  }
  return false;
}

/** Returns whether an object around a list reports that the tags in the list are gone. */
export function isGoneAround(object: unknown): boolean {
  if (!isFrame(object)) return false;
  for (const key in object) if (speaks(key, object[key], false)) return true;
  return false;
}

/** Returns a function that returns whether an object around a part of a message reports that the tags in the part are gone. */
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

function speaks(key: string, value: unknown, isOfTag: boolean): boolean {
  const kind = departureKindOf(key);
  return kind !== undefined && (kind !== 'reason' || isOfTag) && reportsGone(kind, value);
}
