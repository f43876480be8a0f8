import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isBlock,
  isCallExpression,
  isFunctionDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isReturnStatement,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import type { Checker, Type } from 'typescript/unstable/sync';

/** Recognizes the texts that a template can become. */
export type SqlPattern = {
  /** How many characters are constant. Where several patterns match a text, it is from the one with most of them. */
  readonly length: number;
  matches(text: string): boolean;
};

/** Constant SQL, or a gap: the parameter of a value, or text that other functions make. */
type Part = { sql: string } | 'value' | 'fragment';

/** Less constant SQL than this is in the statements of others, too. */
const minLength = 16;

type Context = {
  checker: Checker;
  /** Whether the template is one of Prisma's, in which all but other templates are values. */
  isTagged: boolean;
  /** The functions and constants of the file that are templates, by name. */
  fragments: ReadonlyMap<string, Node>;
};

/**
 * Returns the pattern of the SQL that an expression is: a template, a text in quotes, or the call of a function of the same
 * file that returns a template. Templates of the same file that are put into it are part of the pattern. Returns undefined
 * where too little of the SQL is constant to distinguish it from others.
 */
export function sqlPattern(
  sql: Node,
  { file, checker, isTagged }: { file: SourceFile; checker: Checker; isTagged: boolean },
): SqlPattern | undefined {
  const parts = partsOf(sql, { checker, isTagged, fragments: fragmentsOf(file) });
  if (!parts) return undefined;
  const length = parts.reduce((sum, part) => sum + (typeof part === 'object' ? part.sql.trim().length : 0), 0);
  return length < minLength ? undefined : patternOf(parts, length);
}

/** Pieces between fragments have a fixed order, and anything between them. */
function patternOf(parts: readonly Part[], length: number): SqlPattern {
  const sources = [''];
  for (const part of parts) {
    if (part === 'fragment') sources.push('');
    else sources.push(`${sources.pop() ?? ''}${part === 'value' ? '\\$\\d+' : escape(part.sql)}`);
  }
  if (sources.length === 1) {
    const whole = new RegExp(`^${sources[0]}$`);
    return { length, matches: (text) => whole.test(text) };
  }
  const last = new RegExp(`${sources.pop() ?? ''}$`, 'g');
  const pieces = [...sources.map((source, index) => new RegExp(index === 0 ? `^${source}` : source, 'g')), last];
  return { length, matches: (text) => hasInOrder(text, pieces) };
}

function hasInOrder(text: string, pieces: readonly RegExp[]): boolean {
  let from = 0;
  return pieces.every((piece) => {
    piece.lastIndex = from;
    if (!piece.test(text)) return false;
    from = piece.lastIndex;
    return true;
  });
}

function escape(sql: string): string {
  return sql.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

function partsOf(node: Node, context: Context): Part[] | undefined {
  if (isNoSubstitutionTemplateLiteral(node) || isStringLiteral(node)) return [{ sql: node.text }];
  if (isTemplateExpression(node)) {
    const spans = node.templateSpans.flatMap(({ expression, literal }): Part[] => [
      ...gapOf(expression, context),
      { sql: literal.text },
    ]);
    return [{ sql: node.head.text }, ...spans];
  }
  if (isTaggedTemplateExpression(node)) return partsOf(node.template, context);
  const name = isCallExpression(node) ? node.expression : node;
  const fragment = isIdentifier(name) ? context.fragments.get(name.text) : undefined;
  return fragment && partsOf(fragment, context);
}

function gapOf(expression: Node, context: Context): Part[] {
  if (context.isTagged) {
    const type = context.checker.getTypeAtLocation(expression);
    if (!type || !canBeSql(type)) return ['value'];
  }
  return partsOf(expression, context) ?? ['fragment'];
}

function canBeSql(type: Type): boolean {
  return type.isUnionType() ? type.getTypes().some(canBeSql) : type.getSymbol()?.name === 'Sql';
}

/** A function counts if it does nothing but return a template. */
function fragmentsOf(file: SourceFile): Map<string, Node> {
  const fragments = new Map<string, Node>();
  for (const statement of file.statements) {
    if (isFunctionDeclaration(statement) && statement.name && statement.body) {
      const [only, ...others] = statement.body.statements;
      if (only && others.length === 0 && isReturnStatement(only)) addTemplate(statement.name.text, only.expression);
    } else if (isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (!isIdentifier(name) || !initializer) continue;
        const isFunction = isArrowFunction(initializer) && !isBlock(initializer.body);
        addTemplate(name.text, isFunction ? initializer.body : initializer);
      }
    }
  }
  return fragments;

  function addTemplate(name: string, value: Node | undefined): void {
    if (value && (isTaggedTemplateExpression(value) || isTemplateExpression(value))) fragments.set(name, value);
  }
}
