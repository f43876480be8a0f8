import { compile, TreeInterpreter } from '@jmespath-community/jmespath';

type Interpreter = {
  visit(node: unknown, value: unknown): unknown;
  _rootValue: unknown;
  runtime: typeof TreeInterpreter.runtime;
};

const plainPath = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/**
 * Evaluates an expression of a mapping as the service does (`server/tracking/readers/expressions.ts`), but without its
 * limits, since the expression only affects the browser of the person who writes it.
 *
 * @throws Error if the expression is invalid
 */
export function evaluate(
  expression: string,
  item: unknown,
  { root, topic }: { root: unknown; topic: string },
): unknown {
  const found = keyAt(item, expression);
  if (found !== undefined || plainPath.test(expression)) return found;
  const interpreter = new (TreeInterpreter.constructor as unknown as new () => Interpreter)();
  interpreter._rootValue = root;
  interpreter.runtime.register('topic', () => topic.split('/'), []);
  return interpreter.visit(compile(expression), item) ?? undefined;
}

function keyAt(item: unknown, path: string): unknown {
  let value = item;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
      return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value ?? undefined;
}

/** Returns the expression of a value in a message: keys joined by dots, quoted where they have other characters. */
export function expressionOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const key = /^[A-Za-z_]\w*$/.test(part) ? part : JSON.stringify(part);
    return text === '' ? key : `${text}.${key}`;
  }, '');
}
