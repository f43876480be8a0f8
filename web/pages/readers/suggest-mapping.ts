import type { ReaderValues } from './reader-form.js';

type Mapping = ReaderValues['mapping'];

const listDepthMax = 4;

/** Names that devices use for a field, the most specific first. */
const names: Readonly<Record<Exclude<keyof Mapping, 'list' | 'condition'>, readonly RegExp[]>> = {
  value: [/^epc(hex)?$/i, /^(tag|tag_?id|id_?hex)$/i, /^(mac|address)$/i, /^(uid|id|value|code|barcode)$/i],
  antenna: [/^antenna(_?(port|id|no|number))?$/i, /^(ant|port)$/i],
  rssi: [/^(peak_?)?rssi(_?dbm)?$/i, /^(signal|strength)$/i],
  time: [/^(time_?stamp|time_?of_?read|first_?seen.*|observed_?at)$/i, /^(ts|time|date)$/i],
};

/** Suggests the mapping of a JSON message from the names of its fields; empty texts where nothing fits. */
export function suggestMapping(payload: string): Mapping {
  const none: Mapping = { list: '', condition: '', value: '', antenna: '', rssi: '', time: '' };
  let root: unknown;
  try {
    root = JSON.parse(payload);
  } catch {
    return none;
  }
  const first: unknown = Array.isArray(root) ? root[0] : root;
  if (!isRecord(first)) return none;
  const found = listIn(first, [], 0);
  const item = found ? found.item : first;
  const pathOf = (field: keyof typeof names) => fieldIn(item, names[field], []) ?? '';
  return {
    list: found?.path.join('.') ?? '',
    condition: '',
    value: pathOf('value'),
    antenna: pathOf('antenna'),
    rssi: pathOf('rssi'),
    time: pathOf('time'),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the first list of objects below an object, in order of depth. */
function listIn(
  value: Record<string, unknown>,
  path: readonly string[],
  depth: number,
): { path: readonly string[]; item: Record<string, unknown> } | undefined {
  const entries = Object.entries(value).filter(([key]) => !key.includes('.'));
  for (const [key, inner] of entries) {
    const first: unknown = Array.isArray(inner) ? inner[0] : undefined;
    if (isRecord(first)) return { path: [...path, key], item: first };
  }
  if (depth >= listDepthMax) return undefined;
  for (const [key, inner] of entries) {
    const found = isRecord(inner) ? listIn(inner, [...path, key], depth + 1) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Returns the path of the field with the most specific name, in an object or one level below it. */
function fieldIn(
  item: Record<string, unknown>,
  patterns: readonly RegExp[],
  path: readonly string[],
): string | undefined {
  for (const pattern of patterns) {
    const key = Object.keys(item).find((name) => pattern.test(name) && !isRecord(item[name]));
    if (key !== undefined) return [...path, key].join('.');
  }
  if (path.length > 0) return undefined;
  for (const [key, inner] of Object.entries(item)) {
    const found = isRecord(inner) && !key.includes('.') ? fieldIn(inner, patterns, [key]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
