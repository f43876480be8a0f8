import type { Inputs } from '../api/trpc.js';

export type FileKind = Inputs['imports']['create']['kind'];

type ColumnWords = { name: string; words: string; example: string };

const tagWords = 'Several are separated by |. Where a value has a | or a \\ of its own, a \\ stands before it.';

const common: readonly ColumnWords[] = [
  { name: 'external_key', words: 'The key that rows are found by. Empty: the next free key.', example: '' },
  { name: 'name', words: 'Needed.', example: 'Forklift 7' },
  { name: 'description', words: 'Empty: none.', example: 'Electric, 1.6 t' },
  { name: 'is_active', words: 'true or false. Empty: true, or as it is.', example: 'true' },
  { name: 'valid_from', words: 'A time such as 2026-01-31T08:00:00Z. Empty: now, or as it is.', example: '' },
  { name: 'valid_to', words: 'As before. Empty: without end.', example: '' },
];

const tags: readonly ColumnWords[] = [
  { name: 'rfid_tags', words: `RFID tags. ${tagWords}`, example: 'E28011700000020A1B2C3D4E' },
  { name: 'ble_tags', words: 'Bluetooth tags, written likewise.', example: 'AC:23:3F:A0:32:08' },
  { name: 'barcode_tags', words: 'Barcodes, written likewise.', example: '4006381333931' },
];

/** The columns of files, in the order in which exports have them. */
export const fileColumns: Record<FileKind, readonly ColumnWords[]> = {
  assets: [
    ...common,
    { name: 'metadata', words: 'A JSON object. Empty: nothing.', example: '{"owner":"Hall 2"}' },
    ...tags,
  ],
  locations: [
    ...common,
    {
      name: 'parent_external_key',
      words: 'The key of the location that this one is in, stored already or on any line of the file. Empty: the top.',
      example: '',
    },
    ...tags,
  ],
};

export function columnNames(kind: FileKind): string[] {
  return fileColumns[kind].map(({ name }) => name);
}
