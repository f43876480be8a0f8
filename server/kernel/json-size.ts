/** The longest text of a double, with a comma. */
const numberBytes = 25;

/** The bytes of large values that were parsed from JSON, so that they need not be looked through again. */
const parsedSizes = new WeakMap<object, number>();
const rememberedBytesMin = 1024;

/** Parses JSON, and remembers the size of a large value. */
export function parseSized(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  if (text.length >= rememberedBytesMin && typeof value === 'object' && value !== null)
    parsedSizes.set(value, text.length);
  return value;
}

/** Returns roughly how many bytes a value has as JSON. */
export function jsonSizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return numberBytes;
  const parsed = parsedSizes.get(value);
  if (parsed !== undefined) return parsed;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += jsonSizeOf(item);
  else {
    const items = value as Record<string, unknown>;
    // Pairs of `Object.entries` would take three times as long.
    for (const key of Object.keys(items)) bytes += key.length + 3 + jsonSizeOf(items[key]);
  }
  return bytes;
}
