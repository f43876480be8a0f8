import type { FileKind } from './columns.js';
import { trimmed } from './cell-text.js';

/**
 * What people call the columns, in the words of the app and of other programs, in English and German.
 * The app can be in one language and the file in the other one.
 */
const shared: Readonly<Record<string, readonly string[]>> = {
  external_key: [
    'external_key',
    'Key',
    'Schlüssel',
    'Asset key',
    'Asset-Schlüssel',
    'ID',
    'Asset ID',
    'Objekt-ID',
    'Inventory number',
    'Inventory no',
    'Inventarnummer',
    'Inventarnr',
    'Inventar-Nr',
    'Inv.-Nr.',
    'Asset tag',
    'Asset tag ID',
    'Asset number',
    'Asset no',
    'Asset code',
    'Anlagennummer',
    'Anlagen-Nr.',
  ],
  name: ['name', 'Asset', 'Asset name', 'Objekt', 'Title', 'Bezeichnung'],
  description: ['description', 'Beschreibung', 'Note', 'Notiz', 'Bemerkung'],
  is_active: ['is_active', 'Active', 'Aktiv', 'Status', 'State', 'Zustand'],
  valid_from: ['valid_from', 'Gültig ab', 'Gültig von', 'New start'],
  valid_to: ['valid_to', 'Valid until', 'Gültig bis', 'New end'],
  rfid_tags: [
    'rfid_tags',
    'RFID',
    'RFID tag ID',
    'RFID-Tag-ID',
    'Tag',
    'Tag ID',
    'EPC',
    'RFID EPC',
    'RFID-Nummer',
    'EPC code',
    'RFID code',
    'Transponder',
  ],
  ble_tags: [
    'ble_tags',
    'BLE',
    'BLE tag ID',
    'BLE-Tag-ID',
    'Bluetooth',
    'Bluetooth tag',
    'Beacon',
    'Beacon ID',
    'Beacon MAC',
    'BLE MAC',
    'Bluetooth MAC',
  ],
  barcode_tags: [
    'barcode_tags',
    'Barcode',
    'Strichcode',
    'EAN',
    'GTIN',
    'UPC',
    'Barcode number',
    'Barcode-Nummer',
    'EAN code',
    'EAN-8',
    'EAN-13',
    'UPC code',
    'UPC-A',
    'barcode_Code128',
  ],
};

const words: Readonly<Record<FileKind, Readonly<Record<string, readonly string[]>>>> = {
  assets: {
    ...shared,
    kind: ['kind', 'Art', 'Asset kind', 'Category', 'Kategorie', 'Asset type', 'Asset-Typ'],
    belongs_to_external_key: [
      'belongs_to_external_key',
      'Belongs to',
      'Gehört zu',
      'Home location',
      'Heimatstandort',
      'Default location',
      'Standardstandort',
    ],
    container_external_key: [
      'container_external_key',
      'container',
      'Container key',
      'Schlüssel des Behälters',
      'Behälter',
    ],
    metadata: [
      'metadata',
      'Metadaten',
      'Custom details',
      'Custom details as JSON',
      'Eigene Angaben',
      'Eigene Angaben als JSON',
    ],
    location: [
      'location',
      'Standort',
      'Ort',
      'Current location',
      'Aktueller Standort',
      'Now at',
      'Jetzt an',
      'Raum',
      'Room',
    ],
    place_at: ['place_at', 'Place at', 'Platzieren an'],
    place_at_or_create: ['place_at_or_create'],
    location_external_key: ['location_external_key', 'Location key', 'Standort-Schlüssel', 'Schlüssel des Standorts'],
    last_seen_at: ['last_seen_at', 'Last seen', 'Zuletzt gesehen', 'asset_last_seen'],
  },
  locations: {
    ...shared,
    external_key: [...(shared['external_key'] ?? []), 'Location key', 'Standort-Schlüssel'],
    name: ['name', 'Location', 'Location name', 'Standort', 'Title', 'Bezeichnung'],
    parent_external_key: [
      'Parent name',
      'Inside',
      'Located in',
      'Befindet sich in',
      'Liegt in',
      'parent_external_key',
      'In',
      'Into',
      'Parent',
      'Parent location',
      'Parent key',
      'Parent location key',
      'Übergeordneter Standort',
      'Übergeordneter Schlüssel',
      'Schlüssel des übergeordneten Standorts',
    ],
  },
};

/** Returns a header without case, punctuation, umlauts, remarks in brackets and the endings of plurals. */
function stemOf(header: string): string {
  const letters = trimmed(header)
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? 'ss')
    .replaceAll(/\([^)]*\)|\[[^\]]*\]/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return [/s$/, /n$/, /e$/].reduce((stem, ending) => (stem.length > 2 ? stem.replace(ending, '') : stem), letters);
}

const byStem: Readonly<Record<FileKind, ReadonlyMap<string, string>>> = {
  assets: stemsOf('assets'),
  locations: stemsOf('locations'),
};

function stemsOf(kind: FileKind): Map<string, string> {
  return new Map(Object.entries(words[kind]).flatMap(([column, all]) => all.map((word) => [stemOf(word), column])));
}

/** Returns the column that a header means, also with the prefix of Homebox; undefined if it is none that is known. */
export function columnOf(header: string, kind: FileKind): string | undefined {
  return byStem[kind].get(stemOf(header.replace(/^HB\./i, '')));
}

/** Returns whether a header is the name of a column as exports have it, in any case and with blanks or hyphens. */
export function isExactName(header: string, column: string): boolean {
  return (
    trimmed(header)
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_') === column
  );
}

/** The names of the columns are in one of so many rows; titles, dates and remarks can be above them. */
export const headerRowsMax = 31;

/**
 * Returns the index of the row that has the names of the columns: the first one with text, or a later one if only that one names
 * the column `name`.
 */
export function headerIndexIn(rows: readonly (readonly string[])[], kind: FileKind): number {
  const first = rows.findIndex(hasText);
  const last = Math.min(rows.length, first + headerRowsMax - 1);
  for (let at = Math.max(0, first); at < last; at += 1) {
    const known = new Set(rows[at]?.map((cell) => columnOf(cell, kind)));
    known.delete(undefined);
    if (known.has('name') && (at === first || known.size > 1)) return at;
  }
  return Math.max(0, first);
}

/** How many rows are looked at to find the names of the columns, and what the columns have in them. */
export const startRowsMax = 100;

function hasText(cells: readonly string[]): boolean {
  return cells.some((cell) => trimmed(cell) !== '');
}

const statusWords =
  /^(?:(?:in)?active|(?:in)?aktiv|(?:in)?actif|(?:in)?activo|(?:in)?attivo|enabled|disabled|true|false|yes|no|ja|nein|wahr|falsch|[01xyn])$/i;

/** A value that a tag can have: one word with a digit, or digits in groups. Categories are words. */
const tagForm = /^(?:(?=\D*\d)[\w:.-]{4,}|[\dA-F]{2,}(?: [\dA-F]{2,})+|)$/i;

/**
 * Returns whether the values of a column can be what its header seems to mean. A status can be of another kind than active and inactive,
 * and `tags` can be categories.
 */
export function canMean(header: string, column: string, values: readonly string[]): boolean {
  const stem = stemOf(header.replace(/^HB\./i, ''));
  if (column === 'is_active' && (stem === 'statu' || stem === 'stat' || stem === 'zustand')) {
    return values.every((value) => statusWords.test(value));
  }
  if (column === 'rfid_tags' && stem === 'tag')
    return values.every((value) => value.split(/[|,;\n]/).every((one) => tagForm.test(trimmed(one))));
  return true;
}
