/**
 * How devices report that a tag is gone: `presence` by a field that is false, `certainty` by one that is 0, `absence` by
 * one that is true, `event` and `reason` by a word. `reason` counts only in the object of the tag itself; beside a list
 * it has the reason for which the list was sent.
 */
export const departureFields = {
  presence: ['present', 'presence', 'in_range', 'in_field', 'home', 'at_home', 'visible'],
  certainty: ['confidence'],
  absence: ['removed', 'gone', 'lost', 'absent', 'departed', 'expired'],
  event: ['event', 'event_type', 'evt', 'type', 'action', 'move', 'state', 'status'],
  reason: ['reason'],
} as const;

export type DepartureKind = keyof typeof departureFields;

/** Words that report that a tag is gone. */
export const departureWords: readonly string[] = [
  'remove',
  'removed',
  'absent',
  'away',
  'gone',
  'lost',
  'leave',
  'left',
  'exit',
  'exited',
  'depart',
  'departed',
  'departure',
  'disappear',
  'disappeared',
  'expire',
  'expired',
  'timeout',
  'timed out',
  'age out',
  'aged out',
  'not home',
  'not present',
  'not available',
  'unavailable',
  'out of range',
];

/** Texts by which a field of presence reports that a tag is gone, besides the words. */
export const absentTexts: readonly string[] = ['false', '0', 'no', 'off'];
/** Texts by which a field of absence reports it. */
export const goneTexts: readonly string[] = ['true', 'yes'];
/** Whole messages that report it of the tag that their topic names, besides the words. */
export const absentMessages: readonly string[] = [...absentTexts, 'offline', 'none'];

/** Longer names and values are not in the table. */
const lengthMax = 40;
const cachedMax = 2000;

const affix = /^(?:tag|card|beacon|device|is)(?=.)|(?<=.)(?:tag|card|beacon|device|is)$/;

/** Returns a name or word in lower case, without separators, and without `tag`, `card`, `beacon`, `device` and `is` around it. */
function plain(text: string): string {
  let rest = text.toLowerCase().replaceAll(/[\s_-]+/g, '');
  for (let shorter = rest.replace(affix, ''); shorter !== rest; shorter = rest.replace(affix, '')) rest = shorter;
  return rest;
}

const kinds = new Map(
  Object.entries(departureFields).flatMap(([kind, names]) =>
    names.map((name) => [plain(name), kind as DepartureKind] as const),
  ),
);
const words = new Set(departureWords.map(plain));
const cache = new Map<string, DepartureKind | null>();
const wordCache = new Map<string, boolean>();

/** Returns how a field of this name reports that a tag is gone; undefined for all other fields. */
export function departureKindOf(name: string): DepartureKind | undefined {
  const known = cache.get(name);
  if (known !== undefined) return known ?? undefined;
  const kind = name.length > lengthMax ? undefined : kinds.get(plain(name));
  if (cache.size >= cachedMax) cache.clear();
  cache.set(name, kind ?? null);
  return kind;
}

/** Returns whether a text is a word that reports that a tag is gone. */
export function isDepartureWord(text: string): boolean {
  if (text.length > lengthMax) return false;
  const known = wordCache.get(text);
  if (known !== undefined) return known;
  const isWordOfTable = words.has(plain(text));
  if (wordCache.size >= cachedMax) wordCache.clear();
  wordCache.set(text, isWordOfTable);
  return isWordOfTable;
}

/** Returns whether the value of a field reports that a tag is gone. */
export function reportsGone(kind: DepartureKind, value: unknown): boolean {
  switch (kind) {
    case 'presence':
      return value === false || isZero(value) || isOneOf(absentTexts, value) || isWord(value);
    case 'certainty':
      return isZero(value);
    case 'absence':
      return value === true || isOneOf(goneTexts, value);
    default:
      return isWord(value);
  }
}

/** Returns whether a whole message reports that the tag that its topic names is gone. */
export function isAbsentMessage(text: string): boolean {
  return isOneOf(absentMessages, text) || isDepartureWord(text);
}

function isZero(value: unknown): boolean {
  return value === 0 || (typeof value === 'string' && value.length <= lengthMax && /^\s*0+(?:[.,]0+)?\s*$/.test(value));
}

function isOneOf(texts: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && value.length <= lengthMax && texts.includes(value.trim().toLowerCase());
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && isDepartureWord(value);
}
