import type { Exchange } from './exchange.js';

/** What answers one method of one path. */
export type Route = {
  /** A route of GET answers HEAD, too. */
  method: string;
  /** With parameters in braces. A path that ends in `/*` stands for all paths below it, too. */
  path: string;
  /** Answers a request. Errors that it throws are sent with the envelope of the public API. */
  answer(exchange: Exchange): Promise<void>;
};

type Address = Pick<Route, 'method' | 'path'>;

/** The routes of one path. */
type PathRoutes<R extends Address> = {
  /** By method. */
  routes: ReadonlyMap<string, R>;
  /** The `Allow` header: the methods of the path, HEAD with every GET (contract 1.2). */
  allow: string;
};

export type RouteMatch<R extends Address = Route> = PathRoutes<R> & { parameters: Readonly<Record<string, string>> };

/** Finds the routes of a path. */
export type MatchRoutes<R extends Address = Route> = (path: string) => RouteMatch<R> | undefined;

type Node<R extends Address> = {
  children: Map<string, Node<R>>;
  parameter?: { name: string; node: Node<R> };
  routes?: PathRoutes<R>;
  /** The routes of this path and of all paths below it that have none of their own. */
  below?: PathRoutes<R>;
};

const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Returns a lookup of routes by path. Paths are case-sensitive, and a trailing slash makes another path. A parameter's
 * value is percent-decoded. A value that cannot be decoded stays unchanged and is rejected by its schema.
 */
export function createRoutes<R extends Address>(routes: readonly R[]): MatchRoutes<R> {
  const root: Node<R> = { children: new Map() };
  for (const [path, ofPath] of groupByPath(routes)) insert(root, path, ofPath);
  return (path) => {
    const parameters: Record<string, string> = {};
    let node = root;
    let { below } = root;
    for (const segment of path.split('/')) {
      const next = node.children.get(segment) ?? (segment === '' ? undefined : node.parameter?.node);
      if (!next) return below && { ...below, parameters };
      if (next === node.parameter?.node) parameters[node.parameter.name] = decode(segment);
      node = next;
      below = node.below ?? below;
    }
    const found = node.routes ?? below;
    return found && { ...found, parameters };
  };
}

function insert<R extends Address>(root: Node<R>, path: string, routes: Map<string, R>): void {
  const isPrefix = path.endsWith('/*');
  let node = root;
  for (const segment of (isPrefix ? path.slice(0, -2) : path).split('/')) {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    node = name === undefined ? childOf(node, segment) : parameterOf(node, name);
  }
  const supported = new Set([...routes.keys(), ...(routes.has('GET') ? ['HEAD'] : [])]);
  const ofPath = { routes, allow: methodOrder.filter((method) => supported.has(method)).join(', ') };
  if (isPrefix) node.below = ofPath;
  else node.routes = ofPath;
}

function childOf<R extends Address>(node: Node<R>, segment: string): Node<R> {
  const child = node.children.get(segment) ?? { children: new Map() };
  node.children.set(segment, child);
  return child;
}

function parameterOf<R extends Address>(node: Node<R>, name: string): Node<R> {
  node.parameter ??= { name, node: { children: new Map() } };
  if (node.parameter.name !== name)
    throw new Error(`path parameters ${node.parameter.name} and ${name} share a segment`);
  return node.parameter.node;
}

function groupByPath<R extends Address>(routes: readonly R[]): Map<string, Map<string, R>> {
  const paths = new Map<string, Map<string, R>>();
  for (const route of routes) {
    const ofPath = paths.get(route.path) ?? new Map<string, R>();
    paths.set(route.path, ofPath.set(route.method, route));
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
