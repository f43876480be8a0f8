import type { Queries } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import type { Author, system } from './author.js';
import type { ActivityAction, ActivityKind } from './kinds.js';

/** The fields of an object in words for people. Must never contain secrets or hashes of them. */
export type Facts = Record<string, unknown>;

export type Change = {
  kind: ActivityKind;
  objectId: string | number;
  objectName: string;
  action: ActivityAction;
  before?: Facts | undefined;
  after?: Facts | undefined;
};

/** The author of a change, and its organization. */
export type Scope = { orgId: number; author: Author | typeof system };

const textCharactersMax = 500;
const valueCharactersMax = 2000;

/**
 * Writes one entry of the activity log; call it in the transaction of the change. Triggers write the entries of assets,
 * locations and tags. Texts are truncated to 500 characters, other values to 2,000 characters of JSON.
 */
export async function recordChange(tx: Queries, { orgId, author }: Scope, change: Change): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before, after)
    VALUES (${orgId}::int, ${currentInstant}, ${change.kind}, ${String(change.objectId)}, ${change.objectName}, ${change.action},
            ${author.entryPoint}, ${author.actor}, ${author.batchId ?? null}::uuid, ${factsText(change.before)}::json,
            ${factsText(change.after)}::json)`;
}

/**
 * Does the same as `recordChange`. If there are two states, writes only the fields that differ, or nothing if no field
 * differs.
 */
export async function recordDifference(tx: Queries, scope: Scope, change: Change): Promise<void> {
  const { before, after } = change;
  const states = before && after ? differingFacts(before, after) : { before, after };
  if (states) await recordChange(tx, scope, { ...change, ...states });
}

/** Returns the fields that differ between two states; undefined if no field differs. */
export function differingFacts(before: Facts, after: Facts): { before: Facts; after: Facts } | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  if (names.length === 0) return undefined;
  const pick = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

function factsText(facts: Facts | undefined): string | null {
  if (facts === undefined) return null;
  const present = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify(Object.fromEntries(present.map(([name, value]) => [name, bounded(value)])));
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, textCharactersMax);
  const text = JSON.stringify(value);
  return text.length > valueCharactersMax ? cut(text, valueCharactersMax) : value;
}

/** Truncates a text without leaving a lone surrogate, which cannot be stored. */
function cut(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, '');
}
