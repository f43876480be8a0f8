import type { ReaderValues } from './reader-form.js';

type Mapping = ReaderValues['mapping'];

const listDepthMax = 4;

/** Names that devices use for a field, the most specific first. */
const names: Readonly<Record<Exclude<keyof Mapping, 'list' | 'condition'>, readonly RegExp[]>> = {
  value: [
    /^(hex_?)?epc_?(hex|id|code)?$/i,
    /^((tag|beacon|card|badge)(_?(id|uid|no|number))?|rfid|id_?hex)$/i,
    /^(ble_?|bd_?|device_?)?addr(ess)?$/i,
    /^mac$/i,
    /^(uid|id|value|code|barcode)$/i,
  ],
  antenna: [/^antenna(_?(port(_?number)?|id|no|number))?$/i, /^(ant|port)$/i],
  rssi: [/^(peak_?)?rssi(_?(in_?)?dbm)?$/i, /^(signal|strength)$/i],
  time: [
    /^(time_?stamp|time_?of_?read|(first|last)_?seen.*|last_?read_?on|scan_?time|observed_?at)$/i,
    /^(ts|tm|time|date)$/i,
  ],
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
  const pathOf = (field: keyof typeof names) => fieldIn(item, names[field]) ?? '';
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

/**
 * Returns the path of the field with the most specific name, in an object or one level below it: the identifier of a tag
 * in an object of its own counts before the address of the gateway beside it.
 */
function fieldIn(item: Record<string, unknown>, patterns: readonly RegExp[]): string | undefined {
  const inner = Object.keys(item).filter((key) => isRecord(item[key]) && !key.includes('.'));
  for (const pattern of patterns) {
    for (const path of [[], ...inner.map((key) => [key])]) {
      const [first] = path;
      const object = (first === undefined ? item : item[first]) as Record<string, unknown>;
      const key = Object.keys(object).find((name) => pattern.test(name) && !isRecord(object[name]));
      if (key !== undefined) return [...path, key].join('.');
    }
  }
  return undefined;
}
