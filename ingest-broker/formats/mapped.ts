import { createEvaluator, ExpressionError, type Mapping, type TagRead } from '../../server/index.js';
import type { Format, MappingPart } from './format.js';
import { type Finding, nothingExpected, readOf } from './frame-format.js';
import { fieldOf, isFrame, readContent, valuesMax } from './json-frames.js';
import { epochOf, hexText, macText, portOf, rssiOf, textOf } from './values.js';

/** Steps that the expressions of a message may take, in addition to one for each byte of the payload. */
const stepsMin = 1000;
const parts: readonly MappingPart[] = ['antenna', 'rssi', 'time'];

/** Names and values by which devices say that a tag is gone, if the mapping has no condition of its own. */
const eventName = /^(?:move|presence|type|evt|event|event_?type|action|(?:tag_?|card_?)?state)$/i;
const departure =
  /^(?:(?:tag|card)[ _-]?)?(?:removed?|absent|away|gone|lost|leave|left|depart(?:ed|ure)?|disappear(?:ed)?|expired|timeout|not_home|not_present|out_of_range)$/i;

/** Any other JSON or text, with expressions that the user configures. */
export const mapped: Format = ({ payload, topic, mapping, onReadsTopic }) => {
  if (!mapping) return { kind: 'rejected', reason: 'the reader has no mapping' };
  const content = readContent(payload);
  if ('unreadable' in content && content.text === undefined) {
    return onReadsTopic ? { kind: 'rejected', reason: content.unreadable } : { kind: 'status' };
  }
  const roots = 'unreadable' in content ? [content.text] : rootsOf(content.values);
  const seen = new Set<MappingPart>();
  const reads: TagRead[] = [];
  let loss = 'unreadable' in content ? undefined : content.loss;
  let isUnknown = false;
  const evaluator = createEvaluator({ topic, steps: stepsMin + payload.length });
  for (const root of roots) {
    const evaluate = (expression: string, item: unknown) => evaluator(expression, item, root);
    const findings = findingsOf({ root, mapping, evaluate, seen });
    if (!findings) isUnknown = true;
    for (const finding of findings ?? []) {
      const read = readOf(finding);
      if (typeof read === 'string') loss ??= read;
      else if (read) reads.push(read);
    }
    if (reads.length >= valuesMax) break;
  }
  if (isUnknown) loss ??= 'unreadable' in content ? content.unreadable : nothingExpected;
  if (reads.length > 0) {
    const missing = parts.filter((part) => mapping[part] !== undefined && !seen.has(part));
    return { kind: 'reads', reads, ...(loss !== undefined && { loss }), missing };
  }
  const isReported = loss !== undefined && (onReadsTopic || !isUnknown);
  return isReported ? { kind: 'rejected', reason: loss as string } : { kind: 'status' };
};

/** The objects of a list are messages of their own; a list of anything else is one message. */
function rootsOf(values: readonly unknown[]): unknown[] {
  return values.flatMap((value) =>
    Array.isArray(value) && value.every(isFrame) ? value.slice(0, valuesMax) : [value],
  );
}

type Work = {
  root: unknown;
  mapping: Mapping;
  evaluate(expression: string, item: unknown): unknown;
  seen: Set<MappingPart>;
};

/** Returns the possible reads of a message; undefined if it has nothing where the mapping looks. */
function findingsOf(work: Work): Finding[] | undefined {
  const { root, mapping, evaluate } = work;
  try {
    if (mapping.list === undefined) {
      if (mapping.condition === undefined && evaluate(mapping.value, root) === undefined) return undefined;
      return [findingIn(work, root, mapping.value)];
    }
    const list = evaluate(mapping.list, root);
    if (list === undefined) return undefined;
    const items: unknown[] = Array.isArray(list) ? list : [list];
    return items
      .slice(0, valuesMax)
      .map((item, index) => findingIn(work, item, `${mapping.list}[${index}].${mapping.value}`));
  } catch (error) {
    return [flawOf(error)];
  }
}

/** Where an expression fails on one item, the others count. */
function findingIn(work: Work, item: unknown, path: string): Finding {
  try {
    return findingOf(work, item, path);
  } catch (error) {
    return flawOf(error);
  }
}

function flawOf(error: unknown): { flaw: string } {
  if (error instanceof ExpressionError) return { flaw: error.message };
  throw error;
}

function findingOf({ mapping, evaluate, seen }: Work, item: unknown, path: string): Finding {
  if (mapping.condition === undefined ? isDeparture(item) : !isTruthy(evaluate(mapping.condition, item))) {
    return { noRead: true };
  }
  const found = evaluate(mapping.value, item);
  if (found === false) return { noRead: true };
  const part = (name: MappingPart) => {
    const expression = mapping[name];
    return expression === undefined ? undefined : evaluate(expression, item);
  };
  const [antenna, rssi, time] = [part('antenna'), part('rssi'), part('time')];
  const timeMs = epochOf(time, mapping.time_unit);
  if (portOf(antenna) !== undefined) seen.add('antenna');
  if (rssiOf(rssi) !== null) seen.add('rssi');
  if (timeMs !== null) seen.add('time');
  return { tagType: mapping.tag_type, value: valueOf(found, mapping), path, antenna, rssi, timeMs };
}

/** As JMESPath has it: nothing, false, and what is empty are false. */
function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** The event stands beside the value, which may be in an object of its own. */
function isDeparture(item: unknown): boolean {
  if (!isFrame(item)) return false;
  return [item, ...Object.values(item).filter(isFrame)].some((object) =>
    Object.keys(object).some((key) => {
      const value = eventName.test(key) ? fieldOf(object, key) : undefined;
      return typeof value === 'string' && departure.test(value.trim());
    }),
  );
}

function valueOf(value: unknown, { tag_type: tagType }: Mapping): string | undefined {
  const text = textOf(value);
  if (text === undefined || tagType === 'barcode') return text;
  return tagType === 'ble' ? macText(text) : hexText(text);
}
