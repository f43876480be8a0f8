import { type Frame, isFrame } from '../formats/json-frames.js';
import { addressIn } from '../formats/resembles-read.js';
import { expressionOf, mayHoldTags } from './fields.js';

/** A list in a message that may be one of tags. */
export type List = {
  /** The expression of its items. */
  expression: string;
  items: readonly unknown[];
  /** The objects around it, the innermost first, with their paths in the message. */
  around: readonly { path: readonly string[]; object: Frame }[];
};

const depthMax = 6;
const nodesMax = 2000;

type Node = { path: readonly string[]; value: unknown; around: List['around']; isInList: boolean; name: string };

/** Returns the lists of a message: lists as such, and objects whose keys are addresses; those with the fewest levels first. */
export function listsOf(message: unknown): List[] {
  const lists: List[] = [];
  let level: Node[] = [{ path: [], value: message, around: [], isInList: false, name: '' }];
  let left = nodesMax;
  for (let depth = 0; depth <= depthMax; depth += 1) {
    const next: Node[] = [];
    for (const node of level) {
      left -= 1;
      if (left < 0) return lists;
      const list = listAt(node);
      if (list && mayHoldTags(node.name)) lists.push(list);
      next.push(...nodesIn(node));
    }
    level = next;
  }
  return lists;
}

function listAt({ path, value, around, isInList }: Node): List | undefined {
  const expression = path.length === 0 ? '@' : `${pathExpression(path)}${isInList ? '[]' : ''}`;
  if (Array.isArray(value)) return { expression, items: value as unknown[], around };
  if (!isFrame(value) || isInList) return undefined;
  const keys = Object.keys(value);
  const addresses = keys.filter((key) => addressIn(key) !== undefined && isFrame(value[key]));
  if (addresses.length === 0) return undefined;
  const filter = addresses.length < keys.length ? "[?type([1]) == 'object']" : '';
  return { expression: `items(${expression})${filter}`, items: addresses.map((key) => [key, value[key]]), around };
}

function nodesIn({ path, value, around, isInList }: Node): Node[] {
  if (isFrame(value)) {
    const inner = isInList ? [] : [{ path, object: value }, ...around];
    return Object.entries(value).map(([name, part]) => ({
      path: [...path, name],
      value: part,
      name,
      around: inner,
      isInList,
    }));
  }
  // The first item shows what is in the others.
  const first: unknown = Array.isArray(value) ? value.find(isFrame) : undefined;
  if (!isFrame(first) || path.length === 0) return [];
  return Object.entries(first).map(([name, part]) => ({
    path: [...path.slice(0, -1), `${path.at(-1) ?? ''}[]`, name],
    value: part,
    name,
    around: [],
    isInList: true,
  }));
}

/** Quotes keys, but not the brackets of lists behind them. */
function pathExpression(path: readonly string[]): string {
  return path
    .map((key) => (key.endsWith('[]') ? `${expressionOf([key.slice(0, -2)])}[]` : expressionOf([key])))
    .join('.');
}
