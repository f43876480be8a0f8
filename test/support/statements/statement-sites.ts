import path from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
} from 'typescript/unstable/ast/is';
import { API as TypeScriptApi, type Checker, type Project, type Type, TypeFlags } from 'typescript/unstable/sync';
import { declaredShape } from './declared-shape.js';
import type { Shape } from './shape.js';

/** A site in `server/` that runs SQL and declares what its rows are. */
export type StatementSite = {
  /** Its file, such as `server/things/assets/queries.ts`, and its lines. */
  readonly file: string;
  readonly line: number;
  readonly lastLine: number;
  /** Of a prepared statement: recognizes its name. */
  readonly statementName?: RegExp;
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
  isPlain: boolean;
  statementName?: RegExp;
};

function sitesOfFile(project: Project, { folder, name }: { folder: string; name: string }): StatementSite[] {
  const file = project.program.getSourceFile(name);
  if (!file) throw new Error(`${name} is not in the project`);
  const { checker } = project;
  return candidatesOf(file, checker).flatMap(({ node, rowType, isPlain, statementName }) => {
    if (!rowType || isOfOthers(rowType)) return [];
    const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
    return [
      {
        file: path.relative(folder, name),
        line: lineOf(node.getStart(file)),
        lastLine: lineOf(node.getEnd()),
        row: declaredShape(rowType, checker),
        isPlain,
        ...(statementName && { statementName }),
      },
    ];
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
    return { node, rowType: elementOf(resultOf(node, checker), checker), isPlain: false };
  }
  if (!isCallExpression(node)) return undefined;
  const method = methodOf(node.expression);
  if (method === '$queryRaw' || method === '$queryRawUnsafe') {
    return { node, rowType: elementOf(resultOf(node, checker), checker), isPlain: false };
  }
  if (method === 'query') {
    const result = resultOf(node, checker);
    if (result?.getSymbol()?.name !== 'QueryResult') return undefined;
    return { node, rowType: argumentsOf(result, checker)[0], isPlain: true };
  }
  if (method === 'defineStatement') {
    const row = node.typeArguments?.[1];
    if (!row) return undefined;
    const statementName = nameOf(node.arguments[0]);
    return { node, rowType: checker.getTypeFromTypeNode(row), isPlain: true, ...(statementName && { statementName }) };
  }
  return undefined;
}

/** Recognizes the names that an expression can become: a text, or a template with something at its end. */
function nameOf(name: Node | undefined): RegExp | undefined {
  if (name && isStringLiteral(name)) return new RegExp(`^${name.text}$`);
  return name && isTemplateExpression(name) ? new RegExp(`^${name.head.text}`) : undefined;
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
