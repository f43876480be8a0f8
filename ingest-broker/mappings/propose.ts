import { departureKindOf, expressionFlaw, type Mapping, reportsGone, type TagType } from '../../server/parsing.js';
import { type Frame, isFrame, readContent } from '../formats/json-frames.js';
import { addressIn, hasOwnNetwork } from '../formats/resembles-read.js';
import { timeRankOf } from '../formats/times.js';
import { hexText, instantOf, numberOf } from '../formats/values.js';
import { expressionOf, type Field, fieldsOf, mayHoldTags, mayIdentify } from './fields.js';
import { type List, listsOf } from './lists.js';

/** Names of identifiers, the most specific first. */
const identifierNames = [
  /^(?:hex_?)?epc(?:_?(?:hex|id|code))?$/i,
  /^(?:(?:tag|beacon|card|badge)(?:_?(?:id|uid|no|number|value|code))?|rfid|id_?hex|barcode|ean|gtin)$/i,
  /^(?:ble_?|bd_?|device_?)?addr(?:ess)?$/i,
  /^mac$/i,
  /^uid$/i,
];
/** Messages of a tag may have one of the fields of a device's own network, such as `version`. */
const ownFieldsMin = 2;
/** Names of identifiers and of much else. */
const generalName = /^(?:id|value|code)$/i;
const tagName = /tag|card|beacon|badge|chip/i;
const antennaName = /^(?:antenna(?:_?(?:port(?:_?number)?|id|no|number))?|ant|port)$/i;
const antennaBeside = /^ant/i;
const levelName = /^(?:(?:peak_?)?rssi(?:_?(?:in_?)?dbm)?|rss|signal|strength)$/i;
/** In an object named like a level, the most telling first. */
const levelParts = ['last', 'avg', 'average', 'mean', 'value', 'max', 'peak'];
const moreTimes = /^(?:last_?read_?on|scan_?time)$/i;
const bleName = /addr|mac|^ble|beacon/i;
const barcodeName = /barcode|ean|gtin|upc/i;
const chipName = /epc|tid|uid|rfid|card|badge|hex/i;

/** EPCs of 96 bits and more in hexadecimal, and as URN. */
const epc = /^(?:[0-9A-F]{24,28}|urn:epc:(?:id|tag):.+)$/i;
/** Digits of other chips. */
const digits = /^(?=[0-9A-F]*\d)[0-9A-F]{4,32}$/;
/** The serial numbers of chips have four or seven bytes. */
const serial = /^(?=[0-9A-F]*\d)(?:[0-9A-F]{8}|[0-9A-F]{14})$/;

const messagesMax = 20;
const itemsMax = 5;
const wordLengthMax = 40;
const expressionLengthMax = 500;
/** Below this, a negative whole number in a row is a level. */
const levelMin = -127;

/** What is found of a mapping. */
type Parts = Partial<Mapping>;
type Found = Parts & Pick<Mapping, 'value' | 'tag_type'>;

const nothing: Found = { value: '', tag_type: 'rfid' };

/**
 * Proposes the mapping by which the tags of a message are read; of a message without tags the value is empty. Every
 * expression is valid.
 */
export function proposeMapping({ topic, payload }: { topic: string; payload: Uint8Array }): Mapping {
  const content = readContent(payload);
  const values = 'unreadable' in content ? [content.text] : content.values;
  const messages = values.flatMap((value) => (Array.isArray(value) && value.every(isFrame) ? value : [value]));
  const found = messages.slice(0, messagesMax).flatMap((message) => ofMessage(message) ?? []);
  // A gateway may report itself before its tags.
  const best = found.find(({ rssi }) => rssi !== undefined) ?? found[0];
  if (best) return mappingOf(best);
  const [message] = messages;
  return mappingOf({ ...(isFrame(message) && partsOf(message)), ...ofTopic(topic) });
}

function ofMessage(message: unknown): Found | undefined {
  return ofText(message) ?? ofLists(message) ?? (isFrame(message) ? ofObject(message) : undefined);
}

/** Leaves out expressions that are not valid, or too long. */
function mappingOf(found: Found): Mapping {
  const isValid = (text: string) => text.length <= expressionLengthMax && expressionFlaw(text) === undefined;
  const { time_unit = 'rfc3339', tag_type, value, ...others } = found;
  const parts = Object.fromEntries(Object.entries(others).filter(([, text]) => isValid(text)));
  return { ...parts, value: isValid(value) ? value : '', time_unit, tag_type };
}

function ofText(message: unknown): Found | undefined {
  if (typeof message !== 'string' || !isIdentifier(message.trim())) return undefined;
  return { ...nothing, value: '@', tag_type: typeOf('', message) };
}

/** A topic that is not the reader's own may name the tag. */
function ofTopic(topic: string): Found {
  const levels = topic.startsWith('readers/') ? [] : topic.split('/');
  const at = levels.findIndex((level) => isUnmistakable(level) || serial.test(hexText(level)));
  return at === -1 ? nothing : { ...nothing, value: `topic()[${at}]`, tag_type: typeOf('', levels[at]) };
}

function ofLists(message: unknown): Found | undefined {
  for (const list of listsOf(message)) {
    for (const item of list.items.slice(0, itemsMax)) {
      const found = ofItem(item, list);
      if (found) return found;
    }
  }
  return undefined;
}

function ofItem(item: unknown, { expression, around }: List): Found | undefined {
  const beside = partsBeside(around);
  if (typeof item === 'string') {
    return isUnmistakable(item) || serial.test(hexText(item))
      ? { ...nothing, ...beside, list: expression, value: '@', tag_type: typeOf('', item) }
      : undefined;
  }
  if (Array.isArray(item)) return ofRow(item, { expression, beside });
  const found = isFrame(item) ? ofObject(item) : undefined;
  return found && { ...beside, ...found, list: expression };
}

/** Returns the mapping of a list whose items are lists of scalars, or pairs of a key and its object. */
function ofRow(
  row: readonly unknown[],
  { expression, beside }: { expression: string; beside: Parts },
): Found | undefined {
  const at = row.findIndex(isUnmistakable);
  if (at === -1) return undefined;
  const rssi = levelInRow(row);
  return {
    ...beside,
    list: expression,
    value: `[${at}]`,
    tag_type: typeOf('', row[at]),
    ...(rssi !== undefined && { rssi }),
  };
}

function levelInRow(row: readonly unknown[]): string | undefined {
  const level = row.findIndex(isLevel);
  if (level !== -1) return `[${level}]`;
  const at = row.findIndex(isFrame);
  const fields = at === -1 ? [] : fieldsOf(row[at] as Frame);
  const [only, ...others] = fields.filter(({ value }) => isLevel(value));
  const path = levelIn(fields) ?? (only && others.length === 0 ? expressionOf(only.path) : undefined);
  return path && `[${at}].${path}`;
}

function isLevel(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value < 0 && value >= levelMin;
}

function ofObject(item: Frame): Found | undefined {
  const parts = partsOf(item);
  const own = identifierIn(item);
  if (own) return { ...parts, value: expressionOf(own.path), tag_type: typeOf(own.key, own.value) };
  // A level is of one read, so that an object with a level is no group of tags.
  return parts.rssi === undefined ? undefined : ofListOfOne(item, parts);
}

/** Returns the mapping of an object whose identifier is in a list, as the addresses of a device are. */
function ofListOfOne(item: Frame, parts: Parts): Found | undefined {
  for (const [key, list] of Object.entries(item)) {
    if (!Array.isArray(list) || list.length !== 1 || !isFrame(list[0]) || !mayHoldTags(key)) continue;
    const found = identifierIn(list[0]);
    if (!found) continue;
    const value = `${expressionOf([key])}[0].${expressionOf(found.path)}`;
    return { ...parts, value, tag_type: typeOf(found.key, found.value) };
  }
  return undefined;
}

function isOwn({ key, path }: Field): boolean {
  return path.length === 1 && /^(?:mac|id)$/i.test(key);
}

/**
 * Returns the field that is named like an identifier, else the only one whose value is an address or an EPC. Beside
 * fields of a device's own network, its own identifier is none.
 */
function identifierIn(item: Frame): Field | undefined {
  const isDevice = Object.keys(item).filter((key) => hasOwnNetwork({ [key]: 1 })).length >= ownFieldsMin;
  const candidates = fieldsOf(item).filter(
    (field) => mayIdentify(field) && timeRankOf(field.key) === undefined && !(isDevice && isOwn(field)),
  );
  const isOfTag = ({ path }: Field) => tagName.test(path.at(-2) ?? '');
  for (const name of identifierNames) {
    const found = candidates.find(({ key }) => name.test(key));
    if (found) return found;
  }
  const general = candidates.filter(({ key }) => generalName.test(key));
  const unmistakable = candidates.filter(({ value }) => isUnmistakable(value));
  const isOne = new Set(unmistakable.map(({ value }) => value)).size === 1;
  return (
    general.find((field) => isOfTag(field) || isUnmistakable(field.value)) ??
    (isOne ? unmistakable[0] : general.find(({ value }) => isIdentifier(String(value))))
  );
}

function isIdentifier(text: string): boolean {
  return isUnmistakable(text) || digits.test(hexText(text));
}

function isUnmistakable(value: unknown): boolean {
  return typeof value === 'string' && (addressIn(value) !== undefined || epc.test(hexText(value)));
}

function typeOf(name: string, value: unknown): TagType {
  if (barcodeName.test(name)) return 'barcode';
  if (chipName.test(name)) return 'rfid';
  return bleName.test(name) || addressIn(value) !== undefined ? 'ble' : 'rfid';
}

/** Returns the parts of a mapping besides the identifier that an object has, and the objects in it. */
function partsOf(item: Frame): Parts {
  const fields = fieldsOf(item);
  const antenna = fields.find(({ key, value }) => antennaName.test(key) && !isFrame(value));
  const [rssi, time, condition] = [levelIn(fields), timeIn(fields), conditionOf(fields)];
  return {
    ...(condition !== '' && { condition }),
    ...(antenna && { antenna: expressionOf(antenna.path) }),
    ...(rssi !== undefined && { rssi }),
    ...(time && { time: expressionOf(time.path), time_unit: unitOf(time.value) }),
  };
}

/** Returns what the objects around a list have of each of its reads. */
function partsBeside(around: List['around']): Parts {
  const parts: Parts = {};
  for (const { path, object } of around) {
    const fields = fieldsOf(object).filter((field) => field.path.length === 1 && !isFrame(field.value));
    const from = (field: Field) => `$.${expressionOf([...path, field.key])}`;
    const antenna = fields.find(({ key }) => antennaName.test(key) && antennaBeside.test(key));
    const rssi = fields.find(({ key, value }) => levelName.test(key) && numberOf(value) !== undefined);
    const time = timeIn(fields);
    if (antenna) parts.antenna ??= from(antenna);
    if (rssi) parts.rssi ??= from(rssi);
    if (time && parts.time === undefined) Object.assign(parts, { time: from(time), time_unit: unitOf(time.value) });
  }
  return parts;
}

function levelIn(fields: readonly Field[]): string | undefined {
  const level = fields.find(({ key, value }) => levelName.test(key) && (isFrame(value) || !Array.isArray(value)));
  if (!level || !isFrame(level.value)) return level && expressionOf(level.path);
  const object = level.value;
  const numbers = Object.keys(object).filter((key) => numberOf(object[key]) !== undefined);
  const part = levelParts.find((name) => numbers.includes(name)) ?? numbers[0];
  return part === undefined ? undefined : expressionOf([...level.path, part]);
}

/** Returns the field whose name and value are most clearly a time; a text that is no instant is none. */
function timeIn(fields: readonly Field[]): Field | undefined {
  let best: { field: Field; rank: number } | undefined;
  for (const field of fields) {
    const rank = timeRankOf(field.key) ?? (moreTimes.test(field.key) ? Number.MAX_SAFE_INTEGER : undefined);
    const ms = rank === undefined ? undefined : instantOf(field.value);
    if (rank === undefined || ms === undefined || ms === null) continue;
    if (!best || rank < best.rank) best = { field, rank };
  }
  return best?.field;
}

function unitOf(time: unknown): Mapping['time_unit'] {
  const count = numberOf(time);
  if (count === undefined) return 'rfc3339';
  if (count < 1e11) return 's';
  return count < 1e14 ? 'ms' : 'us';
}

/** Returns the condition that the fields are not those of a departure. Of events, the table of words decides. */
function conditionOf(fields: readonly Field[]): string {
  return fields.flatMap((field) => comparisonOf(field) ?? []).join(' && ');
}

function comparisonOf({ key, path, value }: Field): string | undefined {
  const kind = departureKindOf(key);
  if (kind === undefined || kind === 'event' || kind === 'reason') return undefined;
  const expression = expressionOf(path);
  if (typeof value === 'boolean') return kind === 'absence' ? `!${expression}` : expression;
  if (typeof value === 'number') return kind === 'absence' ? undefined : `${expression} != \`0\``;
  if (typeof value !== 'string' || value === '' || value.length > wordLengthMax) return undefined;
  const literal = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (kind === 'certainty') return `${expression} != '0'`;
  return `${expression} ${reportsGone(kind, value) ? '!=' : '=='} ${literal(value)}`;
}
