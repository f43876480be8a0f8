import type { ExportRow } from '../exports/collect-export.js';
import { type CodeKind, codeShape, type CodeShape } from './codes.js';
import { isScannable } from './layout.js';
import type { LabelFormat } from './formats.js';

/** The content of a label's code. */
export type CodeContent = 'address' | 'tag' | 'key';

export type LabelThing = {
  id: number;
  name: string;
  externalKey: string;
  /** The content of the code. */
  value: string;
  /** The tag as text if the code contains the tag; undefined if the code contains the key. */
  tag: string | undefined;
  kind: CodeKind;
  /** Returns the shape of the code, which is made when the label is first drawn; undefined if no code can encode the value. */
  shape: () => CodeShape | undefined;
};

/** Why some labels differ from the options. */
export type LabelNotes = { withoutTag: number; asQr: number };

const tagOrder = ['barcode', 'rfid', 'ble'];

/** Returns the tag that people most likely scan, if there is one. */
export function tagToPrint(tags: ExportRow['tags']): string | undefined {
  const ranked = tags.toSorted((a, b) => tagOrder.indexOf(a.tag_type) - tagOrder.indexOf(b.tag_type));
  return ranked[0]?.value;
}

export type LabelChoice = {
  content: CodeContent;
  kind: CodeKind;
  format: LabelFormat;
  /** The address that opens a row. */
  addressOf: (id: number) => string;
};

/** Labels of the selection. A value that Code 128 cannot encode, or not readably, becomes a QR code. */
export function labelThings(
  rows: readonly Pick<ExportRow, 'id' | 'name' | 'external_key' | 'tags'>[],
  { content, kind, format, addressOf }: LabelChoice,
): { things: LabelThing[]; notes: LabelNotes } {
  const notes: LabelNotes = { withoutTag: 0, asQr: 0 };
  const things = rows.map((row): LabelThing => {
    const tag = content === 'tag' ? tagToPrint(row.tags) : undefined;
    if (content === 'tag' && tag === undefined) notes.withoutTag += 1;
    // Bars would have no space for an address.
    const value = content === 'address' && kind === 'qr' ? addressOf(row.id) : (tag ?? row.external_key);
    const code = readableCode(kind, value, format);
    if (code.kind !== kind) notes.asQr += 1;
    return { id: row.id, name: row.name, externalKey: row.external_key, value, tag, ...code };
  });
  return { things, notes };
}

function readableCode(kind: CodeKind, value: string, format: LabelFormat): Pick<LabelThing, 'kind' | 'shape'> {
  const bars = kind === 'code128' ? codeShape(kind, value) : undefined;
  if (bars && isScannable(format, kind, bars)) return { kind, shape: () => bars };
  let made: CodeShape | undefined;
  return { kind: 'qr', shape: () => (made ??= codeShape('qr', value)) };
}
