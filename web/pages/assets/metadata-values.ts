import { t } from '@lingui/core/macro';
/** Metadata in a form: pairs of texts, or the whole object as JSON if a value is more than a text or a number. */
export type MetadataDraft = { mode: 'pairs'; pairs: readonly MetadataPair[] } | { mode: 'json'; text: string };

export type MetadataPair = {
  id: number;
  key: string;
  text: string;
  /** The value from which the text was made, which stays while the text is unchanged. */
  original?: Plain;
};

type Plain = string | number | boolean | null;

export type Metadata = Record<string, unknown>;

let lastPairId = 0;

export function newPair(key = '', text = '', original?: Plain): MetadataPair {
  lastPairId += 1;
  return { id: lastPairId, key, text, ...(original === undefined ? {} : { original }) };
}

const isPlain = (value: unknown): value is Plain => value === null || typeof value !== 'object';

const textOf = (value: Plain): string => (value === null ? 'null' : String(value));

export function draftOf(metadata: Metadata): MetadataDraft {
  const entries = Object.entries(metadata);
  if (!entries.every(([, value]) => isPlain(value))) return { mode: 'json', text: jsonText(metadata) };
  return { mode: 'pairs', pairs: entries.map(([key, value]) => newPair(key, textOf(value as Plain), value as Plain)) };
}

/** Returns the value of a draft, or its error. Pairs without key and text are ignored. */
export function metadataOf(draft: MetadataDraft): { metadata: Metadata } | { problem: string } {
  if (draft.mode === 'json') return parseJson(draft.text);
  const metadata: Metadata = {};
  for (const { key, text, original } of draft.pairs) {
    if (key === '' && text === '') continue;
    if (key === '') return { problem: t`“${text}” has no key` };
    if (Object.hasOwn(metadata, key)) return { problem: t`The key “${key}” is there twice` };
    const value = original !== undefined && textOf(original) === text ? original : text;
    Object.defineProperty(metadata, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return { metadata };
}

function parseJson(text: string): { metadata: Metadata } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { problem: t`This has to be a JSON object, such as ${'{"color": "red"}'}` };
    }
    return { metadata: value as Metadata };
  } catch (error) {
    return { problem: t`This is no JSON: ${error instanceof Error ? error.message : t`it cannot be read`}` };
  }
}

export function jsonText(metadata: Metadata): string {
  return JSON.stringify(metadata, null, 2);
}
