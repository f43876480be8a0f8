import type { FieldError } from '../errors.js';

type TagContent = { id: number; tag_type: string; value: string };

/** The read-only fields of a row that a PATCH may contain; instants are epoch milliseconds. */
export type ReadOnlyValues = {
  id: number;
  external_key: string;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
  tags: readonly TagContent[];
};

export type SentReadOnlyFields = { [Key in keyof Omit<ReadOnlyValues, 'tags'>]?: ReadOnlyValues[Key] } & {
  tags?: unknown[];
};

/** Returns whether a PATCH contains fields that must be compared with the row. */
export function hasReadOnlyFields(input: SentReadOnlyFields): boolean {
  return readOnlyKeys.some((key) => input[key] !== undefined);
}

const readOnlyKeys = ['id', 'external_key', 'created_at', 'updated_at', 'deleted_at', 'tags'] as const;

/** Returns one entry for each read-only field that differs from the row, in declared order (contract 5.6). */
export function differingReadOnlyFields(row: ReadOnlyValues, input: SentReadOnlyFields, path: string): FieldError[] {
  return readOnlyKeys.flatMap((key): FieldError[] => {
    if (input[key] === undefined) return [];
    if (key === 'tags') return sameTags(row.tags, input.tags ?? []) ? [] : [rejection(key, path)];
    return input[key] === row[key] ? [] : [rejection(key, path)];
  });
}

function rejection(key: (typeof readOnlyKeys)[number], path: string): FieldError {
  switch (key) {
    case 'external_key':
      return {
        field: key,
        code: 'invalid_context',
        message: `external_key cannot be changed by PATCH; use POST ${path}/rename with body {external_key}`,
      };
    case 'tags':
      return {
        field: key,
        code: 'invalid_context',
        message: `tags cannot be changed by PATCH; use the ${path}/tags subresource`,
      };
    case 'deleted_at':
      return { field: key, code: 'read_only', message: `deleted_at is read-only; use DELETE ${path} to delete` };
    case 'updated_at':
      return {
        field: key,
        code: 'read_only',
        message: 'updated_at is not the stored value: the row has changed since it was read; read it again',
      };
    default:
      return { field: key, code: 'read_only', message: `${key} is read-only; submit the current value or omit it` };
  }
}

/** Compares as sets, by tag id and content; duplicates do not matter. */
function sameTags(current: readonly TagContent[], given: readonly unknown[]): boolean {
  const wanted = new Set(current.map(tagText));
  const sent = new Set(given.map(tagText));
  return wanted.size === sent.size && [...sent].every((text) => wanted.has(text));
}

/** Returns a text that is the same for equal tags, and never the text of a tag for any other value. */
function tagText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'no tag';
  const { id, tag_type: type, value: content, ...rest } = value as Record<string, unknown>;
  if (typeof id !== 'number' || Object.keys(rest).length > 0) return 'no tag';
  return JSON.stringify([id, type, content]);
}
