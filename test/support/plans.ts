import pg from 'pg';
import { vi } from 'vitest';
import { plansOnce } from '../../server/kernel/database/connection-settings.js';

/** A node of a plan that reads a table or an index, with how much it really read, over all its loops. */
export type PlanNode = { kind: string; relation: string; index: string; rows: number };

type RawNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: RawNode[];
};

type Statement = { text: string; values: unknown[] };

/** Looks at how the database answers; it listens on a connection of its own. */
export type PlanReader = AsyncDisposable & {
  /**
   * Returns what the plans of the statements that `run` sends read. Each is executed again so often that the database
   * would settle on one generic plan, if it ever does for this statement, and every execution counts.
   */
  nodesOf(run: () => Promise<unknown>): Promise<PlanNode[]>;
};

const executions = 7;

export async function createPlanReader(databaseUrl: string): Promise<PlanReader> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("LOAD 'auto_explain'");
  await client.query(plansOnce);
  await client.query('SET auto_explain.log_min_duration = 0');
  await client.query('SET auto_explain.log_analyze = on');
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
      for (const { text, values } of statements) {
        for (let count = 0; count < executions; count += 1) await client.query({ name: nameOf(text), text, values });
      }
      client.off('notice', listen);
      return nodes.filter(({ relation, index }) => relation !== '' || index !== '');
    },
    async [Symbol.asyncDispose]() {
      await client.end();
    },
  };
}

/** What runs in the background, whenever it is due, on connections of its own. */
const background = new Set(['whereabouts maintenance', 'whereabouts jobs', 'whereabouts live']);

function isBackground(client: pg.Client): boolean {
  const { connectionParameters } = client as unknown as { connectionParameters: { application_name?: string } };
  return background.has(connectionParameters.application_name ?? '');
}

/** Returns the statements that `run` sends, as they go over the wire, with their values. What prepares a new connection is a text alone. */
export async function sentDuring(run: () => Promise<unknown>): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await run();
    const calls = query.mock.calls.filter((_, index) => !isBackground(query.mock.contexts[index] as pg.Client));
    const statements = calls.map(([statement]) => statement as string | Statement);
    return statements.filter((statement) => typeof statement !== 'string');
  } finally {
    query.mockRestore();
  }
}

function flatten(node: RawNode): PlanNode[] {
  const own = {
    kind: node['Node Type'],
    relation: node['Relation Name'] ?? '',
    index: node['Index Name'] ?? '',
    rows: Math.round(node['Actual Rows'] * node['Actual Loops']),
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
