import path from 'node:path';
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isStringLiteral,
  isTaggedTemplateExpression,
} from 'typescript/unstable/ast/is';
import { API as TypeScriptApi, type Checker, type Project, type Type, TypeFlags } from 'typescript/unstable/sync';
import { declaredShape } from './declared-shape.js';
import type { Shape } from './shape.js';
import { type SqlPattern, sqlPattern } from './sql-pattern.js';

/** A site in `server/` that runs SQL and declares what its rows are. */
export type StatementSite = {
  /** Its file and line, as `server/things/assets/queries.ts:17`. */
  readonly at: string;
  /** Recognizes the SQL; undefined where too little of it is written here. */
  readonly pattern: SqlPattern | undefined;
  /** The name of the prepared statement, where it is constant. */
  readonly name?: string;
  /** The declared type of a row. */
  readonly row: Shape;
  /** Whether node-postgres parses the values by itself, and not as Prisma does. */
  readonly isPlain: boolean;
};

/**
 * Finds all sites in `server/` that declare a type for the rows of SQL: `$queryRaw`, `$queryRawUnsafe` and `query` of
 * node-postgres, by the type of their result, and `defineStatement`, by its second type argument. A site that uses no rows
 * declares no type and is not listed. Nor is a function that passes on statements of others, whose row type is a parameter.
 *
 * @param folder the root of the project
 */
export function findStatementSites(folder: string): StatementSite[] {
  const api = new TypeScriptApi({ cwd: folder });
  try {
    const config = path.join(folder, 'tsconfig.json');
    const snapshot = api.updateSnapshot({ openProjects: [config] });
    const project = snapshot.getProject(config);
    if (!project) throw new Error(`${config} is not a project`);
    const within = `${path.join(folder, 'server')}${path.sep}`;
    return project.program
      .getSourceFileNames()
      .filter((name) => name.startsWith(within))
      .flatMap((name) => sitesOfFile(project, { folder, name }));
  } finally {
    api.close();
  }
}

const undeclared = TypeFlags.AnyOrUnknown | TypeFlags.Never | TypeFlags.NonPrimitive | TypeFlags.TypeParameter;

/** Whether a row type is none, or a parameter: its statements are from elsewhere. */
function isOfOthers(type: Type): boolean {
  return type.isIntersectionType() ? type.getTypes().some(isOfOthers) : (type.flags & undeclared) !== 0;
}

type Candidate = {
  node: Node;
  rowType: Type | undefined;
  sql: Node | undefined;
  isPlain: boolean;
  statementName?: string;
};

function sitesOfFile(project: Project, { folder, name }: { folder: string; name: string }): StatementSite[] {
  const file = project.program.getSourceFile(name);
  if (!file) throw new Error(`${name} is not in the project`);
  const { checker } = project;
  return candidatesOf(file, checker).flatMap(({ node, rowType, sql, isPlain, statementName }) => {
    if (!rowType || isOfOthers(rowType)) return [];
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    const at = `${path.relative(folder, name)}:${line + 1}`;
    const pattern = sql && sqlPattern(sql, { file, checker, isTagged: !isPlain });
    const row = declaredShape(rowType, checker);
    return [{ at, pattern, row, isPlain, ...(statementName !== undefined && { name: statementName }) }];
  });
}

function candidatesOf(file: SourceFile, checker: Checker): Candidate[] {
  const found: Candidate[] = [];
  const visit = (node: Node): void => {
    const candidate = candidateOf(node, checker);
    if (candidate) found.push(candidate);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function candidateOf(node: Node, checker: Checker): Candidate | undefined {
  if (isTaggedTemplateExpression(node)) {
    if (methodOf(node.tag) !== '$queryRaw') return undefined;
    return { node, rowType: elementOf(resultOf(node, checker), checker), sql: node.template, isPlain: false };
  }
  if (!isCallExpression(node)) return undefined;
  const method = methodOf(node.expression);
  if (method === '$queryRaw' || method === '$queryRawUnsafe') {
    return { node, rowType: elementOf(resultOf(node, checker), checker), sql: node.arguments[0], isPlain: false };
  }
  if (method === 'query') {
    const result = resultOf(node, checker);
    if (result?.getSymbol()?.name !== 'QueryResult') return undefined;
    return { node, rowType: argumentsOf(result, checker)[0], sql: node.arguments[0], isPlain: true };
  }
  if (method === 'defineStatement') {
    const row = node.typeArguments?.[1];
    if (!row) return undefined;
    const [name] = node.arguments;
    const statementName = name && isStringLiteral(name) ? { statementName: name.text } : {};
    return { node, rowType: checker.getTypeFromTypeNode(row), sql: sqlOfWriter(node), isPlain: true, ...statementName };
  }
  return undefined;
}

/** The SQL that the last argument of `defineStatement` returns. */
function sqlOfWriter(call: CallExpression): Node | undefined {
  const writer = call.arguments.at(-1);
  return writer && isArrowFunction(writer) ? writer.body : undefined;
}

function methodOf(called: Node): string | undefined {
  if (isPropertyAccessExpression(called)) return called.name.text;
  return isIdentifier(called) ? called.text : undefined;
}

/** What the promise of a call resolves to. */
function resultOf(node: Node, checker: Checker): Type | undefined {
  const type = checker.getTypeAtLocation(node);
  return type && argumentsOf(type, checker)[0];
}

/** The type of the elements of an array; the first of a tuple. */
function elementOf(type: Type | undefined, checker: Checker): Type | undefined {
  if (!type || (type.flags & TypeFlags.AnyOrUnknown) !== 0) return type;
  return argumentsOf(type, checker)[0];
}

function argumentsOf(type: Type, checker: Checker): readonly Type[] {
  return type.isTypeReference() ? checker.getTypeArguments(type) : [];
}
