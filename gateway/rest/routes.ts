import type { Operation } from './operations.js';

/** The operations of one path. */
export type Route = {
  template: string;
  operations: ReadonlyMap<string, Operation>;
  /** The `Allow` header: the methods of the path, HEAD with every GET (contract 1.2). */
  allow: string;
};

export type RouteMatch = { route: Route; parameters: Readonly<Record<string, string>> };

type Node = { children: Map<string, Node>; parameter?: { name: string; node: Node }; route?: Route };

const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Returns a lookup of operations by path. Paths are case-sensitive, and a trailing slash makes another path. A
 * parameter's value is percent-decoded. A value that cannot be decoded stays unchanged and is rejected by its schema.
 */
export function createRoutes(operations: readonly Operation[]): (path: string) => RouteMatch | undefined {
  const root: Node = { children: new Map() };
  for (const [template, ofPath] of groupByPath(operations)) insert(root, template, ofPath);
  return (path) => {
    const parameters: Record<string, string> = {};
    let node: Node = root;
    for (const segment of path.split('/')) {
      const exact = node.children.get(segment);
      if (exact) {
        node = exact;
        continue;
      }
      if (!node.parameter || segment === '') return undefined;
      parameters[node.parameter.name] = decode(segment);
      node = node.parameter.node;
    }
    return node.route && { route: node.route, parameters };
  };
}

function insert(root: Node, template: string, operations: Map<string, Operation>): void {
  let node = root;
  for (const segment of template.split('/')) {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    node = name === undefined ? childOf(node, segment) : parameterOf(node, name);
  }
  const supported = new Set([...operations.keys(), ...(operations.has('GET') ? ['HEAD'] : [])]);
  node.route = { template, operations, allow: methodOrder.filter((method) => supported.has(method)).join(', ') };
}

function childOf(node: Node, segment: string): Node {
  const child = node.children.get(segment) ?? { children: new Map() };
  node.children.set(segment, child);
  return child;
}

function parameterOf(node: Node, name: string): Node {
  node.parameter ??= { name, node: { children: new Map() } };
  if (node.parameter.name !== name)
    throw new Error(`path parameters ${node.parameter.name} and ${name} share a segment`);
  return node.parameter.node;
}

function groupByPath(operations: readonly Operation[]): Map<string, Map<string, Operation>> {
  const paths = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const ofPath = paths.get(operation.path) ?? new Map<string, Operation>();
    paths.set(operation.path, ofPath.set(operation.method, operation));
  }
  return paths;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
