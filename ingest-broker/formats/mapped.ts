import { createEvaluator, ExpressionError, isAbsentMessage, type Mapping } from '../../server/parsing.js';
import { departuresAround, isGone } from './departures.js';
import { contentOf, type Format, type MappingPart } from './format.js';
import { addFinding, type Finding, newResult, nothingExpected, outcomeOf } from './frame-format.js';
import { type Content, fieldOf, isFrame, scalarOf, valuesMax } from './json-frames.js';
import { resemblesRead, textResemblesRead } from './resembles-read.js';
import { epochOf, hexOf, identifierOf, macOf, portOf, rssiOf } from './values.js';

/** Items on which an expression fails, after which the rest of a message is ignored: an error costs much more than a read. */
const failuresMax = 1000;
const parts: readonly MappingPart[] = ['antenna', 'rssi', 'time'];

/**
 * Any other JSON or text, with expressions that the user configures. They may take any time and memory, so this runs in a
 * process of its own (`mappings/`).
 */
export const mapped: Format = (input) => {
  const { topic, mapping, onReadsTopic } = input;
  if (!mapping) return { kind: 'rejected', reason: 'the reader has no mapping' };
  const content = contentOf(input);
  if ('unreadable' in content && content.text === undefined) {
    return onReadsTopic ? { kind: 'rejected', reason: content.unreadable } : { kind: 'status' };
  }
  const seen = new Set<MappingPart>();
  const result = newResult('unreadable' in content ? undefined : content.loss);
  let isUnknown = false;
  const evaluator = createEvaluator(topic);
  const failures = { count: 0 };
  for (const root of rootsOf(content)) {
    const work: Work = { root, mapping, evaluator, seen, failures };
    const findings = findingsOf(work);
    if (!findings) isUnknown ||= resembles(root.plain);
    for (const { finding, around } of findings ?? []) addFinding(result, finding, { around });
    if (result.reads.length >= valuesMax || failures.count >= failuresMax) break;
  }
  if (isUnknown) result.flaw ??= 'unreadable' in content ? content.unreadable : nothingExpected;
  const understood = outcomeOf(result, onReadsTopic || !isUnknown);
  if (understood.kind !== 'reads') return understood;
  return { ...understood, missing: parts.filter((part) => mapping[part] !== undefined && !seen.has(part)) };
};

/** A message in the forms in which its parts are used. */
type Root = {
  /** For lists, levels, antennas and times. */
  plain: unknown;
  /** For identifiers that are numbers, or computed, since digits stay as they were sent. */
  exact?: () => unknown;
  /** For conditions, which may compare a message that is a scalar with a number, true or false. */
  compared: unknown;
};

/** The objects of a list are messages of their own; a list of anything else is one message. */
function rootsOf(content: Content): Root[] {
  if ('unreadable' in content) {
    const { text = '' } = content;
    return [{ plain: text, compared: scalarOf(text) }];
  }
  const { values, exact } = content;
  let exactMessages: unknown[] | undefined;
  return messagesIn(values).map((message, index) => ({
    plain: message,
    compared: message,
    ...(exact && { exact: () => (exactMessages ??= messagesIn(exact()))[index] }),
  }));
}

function messagesIn(values: readonly unknown[]): unknown[] {
  return values.flatMap((value) =>
    Array.isArray(value) && value.every(isFrame) ? value.slice(0, valuesMax) : [value],
  );
}

/** Returns whether a message in which the mapping finds nothing may be a read all the same. */
function resembles(message: unknown): boolean {
  return typeof message === 'string' ? textResemblesRead(message) : resemblesRead({ message });
}

type Work = {
  root: Root;
  mapping: Mapping;
  evaluator: ReturnType<typeof createEvaluator>;
  seen: Set<MappingPart>;
  /** Items on which an expression has failed. */
  failures: { count: number };
};

/** `around`: the objects that may have the time of a read, besides the item. */
type Found = { finding: Finding; around: readonly unknown[] };

/** Returns the possible reads of a message; undefined if it has nothing where the mapping looks. */
function findingsOf(work: Work): Found[] | undefined {
  try {
    return work.mapping.list === undefined ? findingsOfMessage(work) : findingsInList(work, work.mapping.list);
  } catch (error) {
    return [{ finding: flawOf(work, error), around: [] }];
  }
}

function findingsOfMessage(work: Work): Found[] | undefined {
  const { root, mapping } = work;
  if (!isRead(work, root.compared, isGone(root.plain))) return [];
  const value = identifierIn(work, root.plain, (exact) => exact);
  if (value === undefined) return undefined;
  if (typeof root.plain === 'string' && mapping.condition === undefined) {
    const isOfTopic = value !== root.plain;
    if (isOfTopic ? isAbsentMessage(root.plain) : root.compared === false) return [];
  }
  const finding = findingOf(work, { item: root.plain, value, path: mapping.value });
  return [{ finding, around: objectsAlong(root.plain, mapping.value) }];
}

function findingsInList(work: Work, path: string): Found[] | undefined {
  const { root, mapping, evaluator } = work;
  const list = evaluator(path, root.plain, root.plain);
  if (list === undefined) {
    const isOther = mapping.condition !== undefined && !isRead(work, root.compared, false);
    return isOther || isNullAt(root.plain, path) ? [] : undefined;
  }
  const items = itemsOf(list);
  let exactItems: unknown[] | undefined;
  const isGoneFor = mapping.condition === undefined ? departuresAround(root.plain) : () => false;
  const around = objectsAlong(root.plain, path);
  return items.slice(0, valuesMax).map((item, index) => {
    if (work.failures.count >= failuresMax) return { finding: { noRead: true }, around };
    try {
      if (!isRead(work, item, isGone(item) || isGoneFor(item) || isGoneFor(list)))
        return { finding: { noRead: true }, around };
      const itemOf = (exact: unknown) => (exactItems ??= itemsOf(evaluator(path, exact, exact)))[index];
      const value = identifierIn(work, item, itemOf);
      return {
        finding: findingOf(work, { item, value, path: `${path}[${index}].${mapping.value}` }),
        around: [...objectsAlong(item, mapping.value), ...around],
      };
    } catch (error) {
      // Where an expression fails on one item, the others count.
      return { finding: flawOf(work, error), around };
    }
  });
}

/** @param itemOf returns the same item of the message that has the texts of numbers */
function identifierIn({ root, mapping, evaluator }: Work, item: unknown, itemOf: (exact: unknown) => unknown): unknown {
  const isComputed = mapping.value.includes('(');
  if (!root.exact || !isComputed) {
    const found = evaluator(mapping.value, item, root.plain);
    if (!root.exact || typeof found !== 'number') return found;
  }
  const exact = root.exact();
  return evaluator(mapping.value, itemOf(exact), exact);
}

function itemsOf(list: unknown): unknown[] {
  return Array.isArray(list) ? list : [list];
}

/** Returns the objects on the way of a path of keys, the innermost first; of other expressions only the outermost. */
function objectsAlong(root: unknown, path: string): unknown[] {
  const objects: unknown[] = [];
  let value = root;
  for (const key of path.split('.')) {
    if (!isFrame(value)) break;
    objects.unshift(value);
    value = fieldOf(value, key);
  }
  return objects;
}

function isNullAt(root: unknown, path: string): boolean {
  const keys = path.split('.');
  const [parent] = objectsAlong(root, path);
  const last = keys.at(-1) ?? '';
  const isWhole = objectsAlong(root, path).length === keys.length;
  return isWhole && isFrame(parent) && Object.hasOwn(parent, last) && parent[last] === null;
}

function flawOf({ failures }: Work, error: unknown): { flaw: string } {
  if (!(error instanceof ExpressionError)) throw error;
  failures.count += 1;
  return { flaw: error.message };
}

/** If there is a condition, it alone decides. Otherwise a report that a tag is gone is no read. */
function isRead({ root, mapping, evaluator }: Work, item: unknown, isDeparture: boolean): boolean {
  const { condition } = mapping;
  if (condition === undefined) return !isDeparture;
  try {
    return isTruthy(evaluator(condition, item, root.compared));
  } catch (error) {
    // A condition may take a text apart that happens to be a number.
    if (item === root.plain || item !== root.compared) throw error;
    return isTruthy(evaluator(condition, root.plain, root.plain));
  }
}

function findingOf(
  { root, mapping, evaluator, seen }: Work,
  { item, value, path }: { item: unknown; value: unknown; path: string },
): Finding {
  if (value === false) return { noRead: true };
  const part = (name: MappingPart) => {
    const expression = mapping[name];
    return expression === undefined ? undefined : evaluator(expression, item, root.plain);
  };
  const [antenna, rssi, time] = [part('antenna'), part('rssi'), part('time')];
  const ms = epochOf(time, mapping.time_unit);
  if (portOf(antenna) !== undefined) seen.add('antenna');
  if (rssiOf(rssi) !== null) seen.add('rssi');
  if (ms !== null) seen.add('time');
  return {
    tagType: mapping.tag_type,
    value: valueOf(value, mapping),
    path,
    antenna,
    rssi,
    // The page of the reader shows if a time that is mapped was not found.
    timeMs: ms ?? (mapping.time === undefined ? null : 'unused'),
    ...(isFrame(item) && { item }),
  };
}

/** As JMESPath has it: nothing, false, and what is empty are false. */
function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function valueOf(value: unknown, { tag_type: tagType }: Mapping): unknown {
  if (tagType === 'barcode') return identifierOf(value);
  return tagType === 'ble' ? macOf(value) : hexOf(value);
}
