import { compile, TreeInterpreter } from '@jmespath-community/jmespath';

type Node = ReturnType<typeof compile>;
type Interpreter = Omit<typeof TreeInterpreter, 'visit'> & {
  visit(node: Node, value: unknown): unknown;
  _rootValue: unknown;
};

/** An error of the interpreter can contain the whole message. */
const whyLengthMax = 300;

/** @param root the value of `$` */
export type Evaluate = (expression: string, item: unknown, root: unknown) => unknown;

/** An expression that cannot be parsed, or fails on a message. The message is for administrators. */
export class ExpressionError extends Error {
  constructor(expression: string, why: string) {
    super(`the expression ${expression} ${why.slice(0, whyLengthMax)}`);
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
 * this path, whatever characters the keys have. An expression may take any time and memory, so the caller has to limit both.
 *
 * @throws ExpressionError (the returned function)
 */
export function createEvaluator(topic: string): Evaluate {
  let interpreter: Interpreter | undefined;
  return (expression, item, root) => {
    const found = keyAt(item, expression);
    if (found !== undefined || plainPath.test(expression)) return found;
    interpreter ??= createInterpreter(topic);
    interpreter._rootValue = root;
    try {
      return interpreter.visit(compiledOf(expression), item) ?? undefined;
    } catch (error) {
      if (error instanceof ExpressionError) throw error;
      throw new ExpressionError(expression, `fails: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

function createInterpreter(topic: string): Interpreter {
  const interpreter = new (TreeInterpreter.constructor as unknown as new () => Interpreter)();
  interpreter.runtime.register('topic', () => topic.split('/'), []);
  return interpreter;
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

/** Rejects functions that are not needed here, and `let`. */
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
