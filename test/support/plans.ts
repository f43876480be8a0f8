import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
import pg from 'pg';
import { vi } from 'vitest';
import { plansOnce } from '../../server/kernel/database/connection-settings.js';

/** A node of a plan that reads a table or an index, with how much it really read, over all its loops, and the condition on each row. */
export type PlanNode = { kind: string; relation: string; index: string; rows: number; filter: string };

type RawNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Filter?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: RawNode[];
};

type Method = (...args: unknown[]) => unknown;

type Statement = { text: string; values: unknown[] };

/** Looks at how the database answers; it listens on a connection of its own. */
export type PlanReader = AsyncDisposable & {
  /** Returns what the plans of the statements that `run` sends read, when each is executed again with the plan that the service keeps. */
  nodesOf(run: () => Promise<unknown>): Promise<PlanNode[]>;
};

export async function createPlanReader(databaseUrl: string): Promise<PlanReader> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("LOAD 'auto_explain'");
  await client.query(plansOnce);
  await client.query('SET auto_explain.log_min_duration = 0');
  await client.query('SET auto_explain.log_analyze = on');
  // Rows are looked at, and asking for the time at each of them takes longer than reading it.
  await client.query('SET auto_explain.log_timing = off');
  await client.query("SET auto_explain.log_format = 'json'");
  await client.query("SET auto_explain.log_level = 'notice'");
  const names = new Map<string, string>();

  /** A statement keeps its name, as it does on the service's connections. */
  function nameOf(text: string): string {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  }

  return {
    async nodesOf(run) {
      const statements = await sentDuring(run);
      const nodes: PlanNode[] = [];
      const listen = ({ message = '' }: { message?: string | undefined }) => {
        const { Plan: root } = JSON.parse(message.slice(message.indexOf('{'))) as { Plan: RawNode };
        nodes.push(...flatten(root));
      };
      client.on('notice', listen);
      for (const { text, values } of statements) await client.query({ name: nameOf(text), text, values });
      client.off('notice', listen);
      return nodes.filter(({ relation, index }) => relation !== '' || index !== '');
    },
    async [Symbol.asyncDispose]() {
      await client.end();
    },
  };
}

const during = new AsyncLocalStorage<Statement[]>();

/**
 * Returns the statements that `run` sends, itself or by requests to a server of this process, as they go over the wire, with
 * their values. What prepares a new connection is a text alone. What the service reads in the background does not count.
 */
export async function sentDuring(run: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const original = { query: pg.Client.prototype.query as Method, emit: Server.prototype.emit as Method };
  const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [statement] = args as [Statement | string];
    if (typeof statement !== 'string') during.getStore()?.push(statement);
    return original.query.apply(this, args);
  });
  const emit = vi.spyOn(Server.prototype, 'emit').mockImplementation(function (this: Server, ...args: unknown[]) {
    const pass = () => original.emit.apply(this, args) as boolean;
    return args[0] === 'request' ? during.run(sent, pass) : pass();
  });
  try {
    await during.run(sent, run);
    return sent;
  } finally {
    query.mockRestore();
    emit.mockRestore();
  }
}

function flatten(node: RawNode): PlanNode[] {
  const own = {
    kind: node['Node Type'],
    relation: node['Relation Name'] ?? '',
    index: node['Index Name'] ?? '',
    rows: Math.round(node['Actual Rows'] * node['Actual Loops']),
    filter: node.Filter ?? '',
  };
  return [own, ...(node.Plans ?? []).flatMap(flatten)];
}

/** The most that any one execution read by an index; -1 where none did. */
export function rowsBy(nodes: readonly PlanNode[], index: string): number {
  return Math.max(-1, ...nodes.filter((node) => node.index === index).map(({ rows }) => rows));
}

/** The most rows of a table that any one execution looked at outside of an index. */
export function rowsOf(nodes: readonly PlanNode[], relation: string): number {
  const looked = nodes.filter((node) => node.relation === relation && node.kind !== 'Index Only Scan');
  return Math.max(0, ...looked.map(({ rows }) => rows));
}
