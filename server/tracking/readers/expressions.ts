import { compile, TreeInterpreter } from '@jmespath-community/jmespath';

type Node = ReturnType<typeof compile>;
type Value = Parameters<typeof TreeInterpreter.search>[1];
type Interpreter = Omit<typeof TreeInterpreter, 'visit'> & {
  visit(node: Node, value: unknown): unknown;
  _rootValue: unknown;
};

/** The message that expressions are evaluated on. */
export type ExpressionScope = {
  /** `topic()` returns its levels. */
  topic: string;
  /** Steps that all expressions of the message may take together. */
  steps: number;
};

/** @param root the value of `$` */
export type Evaluate = (expression: string, item: unknown, root: unknown) => unknown;

/** An expression that cannot be parsed, fails on a message, or takes too many steps. The message is for administrators. */
export class ExpressionError extends Error {
  constructor(expression: string, why: string) {
    super(`the expression ${expression} ${why}`);
    this.name = 'ExpressionError';
  }
}

const functions = new Set(
  (
    'abs avg ceil contains ends_with find_first find_last floor from_items items join keys length lower map max max_by ' +
    'merge min min_by not_null pad_left pad_right replace reverse sort sort_by split starts_with sum to_array to_number ' +
    'to_string topic trim trim_left trim_right type upper values zip'
  ).split(' '),
);
/** Characters of a text that an expression may build, so that it cannot fill the memory. */
const textMax = 65_536;
const plainPath = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
const syntax = /[[\](){}|"'`$=<>!&?*,]/;
const compiledMax = 1000;
const compiled = new Map<string, Node>();

/** Returns what is wrong with the text of an expression; undefined if it is valid. */
export function expressionFlaw(expression: string): string | undefined {
  // A path of keys may not be a valid expression. It is accepted, since mappings from before there were expressions
  // stay valid.
  if (!syntax.test(expression) && /^[^.]+(?:\.[^.]+)*$/.test(expression)) return undefined;
  try {
    compiledOf(expression);
    return undefined;
  } catch (error) {
    return error instanceof ExpressionError ? error.message : String(error);
  }
}

/**
 * Returns a function that evaluates expressions on items of a message: paths of keys joined by dots, or JMESPath with
 * `$` for the message and `topic()` for the levels of its topic. If a text is a path of existing keys, it counts as
 * this path, whatever characters the keys have. Steps and the lengths of texts are limited, since an administrator can
 * write any expression.
 *
 * @throws ExpressionError (the returned function)
 */
export function createEvaluator({ topic, steps }: ExpressionScope): Evaluate {
  let left = steps;
  let current = '';
  let interpreter: Interpreter | undefined;

  function spend(cost: number): void {
    left -= cost;
    if (left < 0) throw new ExpressionError(current, 'takes too many steps');
  }

  return (expression, item, root) => {
    const found = keyAt(item, expression);
    if (found !== undefined || plainPath.test(expression)) return found;
    current = expression;
    interpreter ??= createInterpreter(topic, spend);
    interpreter._rootValue = root;
    try {
      return interpreter.visit(compiledOf(expression), item) ?? undefined;
    } catch (error) {
      if (error instanceof ExpressionError) throw error;
      throw new ExpressionError(expression, `fails: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

function createInterpreter(topic: string, spend: (cost: number) => void): Interpreter {
  const interpreter = new (TreeInterpreter.constructor as unknown as new () => Interpreter)();
  const visit = interpreter.visit.bind(interpreter);
  interpreter.visit = (node, value) => {
    spend(1);
    if (node.type === 'Flatten' || node.type === 'Slice') spend(sizeOf(value));
    if (node.type !== 'Comparator') return visit(node, value);
    const [one, other] = [interpreter.visit(node.left, value), interpreter.visit(node.right, value)];
    spend(Math.min(deepSizeOf(one), deepSizeOf(other)));
    const literal = (given: unknown) => ({ type: 'Literal', value: given as Value }) as const;
    return visit({ ...node, left: literal(one), right: literal(other) }, value);
  };
  const { runtime } = interpreter;
  runtime.register('topic', () => topic.split('/'), []);
  const call = runtime.callFunction.bind(runtime);
  runtime.callFunction = (name, args) => {
    for (const arg of args) spend(deepSizeOf(arg));
    if (builtLength(name, args) > textMax) throw new Error(`${name}() makes a text that is too long`);
    const result = call(name, args);
    spend(sizeOf(result));
    return result;
  };
  return interpreter;
}

/** Returns the length of the text that a function would build. */
function builtLength(name: string, [first, second, third]: readonly unknown[]): number {
  const length = (value: unknown) => (typeof value === 'string' ? value.length : 0);
  if (name === 'join' && Array.isArray(second)) {
    return second.reduce((sum: number, text: unknown) => sum + length(text) + length(first), 0);
  }
  if (name === 'replace') return (length(first) + 1) * (length(third) + 1);
  return name.startsWith('pad_') && typeof second === 'number' ? second : 0;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / 16);
  return Array.isArray(value) ? value.length : 1;
}

/**
 * Returns how many values a value contains. A value that is used several times counts each time, since comparing and
 * writing walk through all uses.
 */
function deepSizeOf(value: unknown): number {
  let size = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    size += sizeOf(next);
    if (typeof next !== 'object' || next === null) continue;
    for (const inner of Array.isArray(next) ? next : Object.values(next)) waiting.push(inner);
  }
  return size;
}

/** @throws ExpressionError */
function compiledOf(expression: string): Node {
  const known = compiled.get(expression);
  if (known) return known;
  let node: Node;
  try {
    node = compile(expression);
  } catch (error) {
    throw new ExpressionError(expression, `is not valid: ${error instanceof Error ? error.message : String(error)}`);
  }
  ensureAllowed(expression, node);
  if (compiled.size >= compiledMax) compiled.clear();
  compiled.set(expression, node);
  return node;
}

/**
 * Rejects functions that are not needed here, and `let`, whose scopes the interpreter evaluates without counting steps.
 */
function ensureAllowed(expression: string, node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, name } = node as { type?: unknown; name?: unknown };
  if (type === 'Literal') return;
  if (type === 'LetExpression') throw new ExpressionError(expression, 'is not valid: let is not supported');
  if (type === 'Function' && !functions.has(String(name))) {
    throw new ExpressionError(expression, `is not valid: there is no function ${String(name)}()`);
  }
  for (const inner of Object.values(node)) ensureAllowed(expression, inner);
}

/** Returns the value at a path of keys; undefined if it does not exist. Stops at the first missing key. */
function keyAt(item: unknown, path: string): unknown {
  let value = item;
  let begin = 0;
  do {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const dot = path.indexOf('.', begin);
    const end = dot === -1 ? path.length : dot;
    const key = path.slice(begin, end);
    value = Object.hasOwn(value, key) ? ((value as Record<string, unknown>)[key] ?? undefined) : undefined;
    begin = end + 1;
  } while (begin <= path.length);
  return value;
}
