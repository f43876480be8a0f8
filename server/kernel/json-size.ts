/** The longest text of a double, with a comma. */
const numberBytes = 25;

/** Returns roughly how many bytes a value has as JSON. */
export function jsonSizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return numberBytes;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += jsonSizeOf(item);
  else for (const [key, item] of Object.entries(value)) bytes += key.length + 3 + jsonSizeOf(item);
  return bytes;
}
