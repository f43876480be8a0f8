import type { Outputs } from '../../api/trpc.js';

export type UnknownValue = Outputs['scans']['unknownValues']['data'][number];

/** Returns the key of an unknown value: the same value can be read as tags of two kinds. */
export function idOf({ tag_type, value }: Pick<UnknownValue, 'tag_type' | 'value'>): string {
  return JSON.stringify([tag_type, value]);
}

/** Returns the value of an id. */
export function valueOf(id: string): Pick<UnknownValue, 'tag_type' | 'value'> {
  const [tag_type, value] = JSON.parse(id) as [UnknownValue['tag_type'], string];
  return { tag_type, value };
}
