import type { ResourceKind } from '../../kernel/fields.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { breaksUnique, lacksReference } from '../../kernel/database/faults.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import { type ChangeState, findChanges, lockRows, takeBackChanges } from './change-queries.js';
import type { Entry } from './entries.js';
import { obstacleAbove } from './location-queries.js';
import { type Given, leftOf, type Obstruction, type Outcome, type UndoScope } from './outcome.js';

type Scope = Pick<UndoScope, 'orgId' | 'author'>;

/** Gives fields the values that they had before the entries, except fields that were changed since. */
export async function takeBackUpdates({ db, orgId, author }: UndoScope, given: Given): Promise<Outcome> {
  const { kind, entries } = given;
  try {
    return await db.$transaction(async (tx) => {
      if (kind === 'location') await tx.$queryRaw(lockStatement('tree', orgId));
      await lockRows(tx, orgId, { kind, ids: entries.map(({ rowId }) => rowId) });
      const outcome = { taken: 0, left: new Map<string, Obstruction>() };
      for (const round of roundsOf(entries)) {
        const { taken, left } = await takeBackRound(tx, { orgId, author }, { ...given, entries: round });
        outcome.taken += taken;
        for (const [id, why] of left) outcome.left.set(id, why);
      }
      return outcome;
    });
  } catch (error) {
    if (!breaksUnique(error, `${kind}s_live_external_key`) && !lacksReference(error)) throw error;
    throw refusal('changed_meanwhile', undefined, { cause: error });
  }
}

/** Divides entries, in their order, so that a row is once in each part: an earlier change is taken back after the later one. */
function roundsOf(entries: readonly Entry[]): Entry[][] {
  const rounds: Entry[][] = [];
  let round: Entry[] = [];
  const rows = new Set<number>();
  for (const entry of entries) {
    if (rounds.length === 0 || rows.has(entry.rowId)) {
      rows.clear();
      round = [];
      rounds.push(round);
    }
    rows.add(entry.rowId);
    round.push(entry);
  }
  return rounds;
}

/** Takes back changes of different rows, and again what was in the way of each other. */
async function takeBackRound(tx: TransactionClient, scope: Scope, given: Given): Promise<Outcome> {
  const { kind, entries, overwrite } = given;
  const outcome = { taken: 0, left: new Map<string, Obstruction>() };
  for (let waiting = entries; waiting.length > 0; ) {
    const states = await findChanges(tx, scope.orgId, { kind, keys: waiting });
    const stateOf = new Map(states.map((state) => [state.entry_id, state]));
    const left = leftOf(waiting, ({ id }) => refusalOf(kind, stateOf.get(id), overwrite));
    const possible = waiting.filter(({ id }) => !left.has(id));
    const { free, later } = withDifferentKeys(possible, stateOf);
    const back = await moveBack(tx, scope, { kind, free, stateOf });
    outcome.taken += back.taken;
    for (const { id } of waiting) outcome.left.delete(id);
    for (const [id, why] of [...left, ...back.left]) outcome.left.set(id, why);
    const changed = new Set(free.flatMap(({ id, rowId }) => (back.left.has(id) ? [] : rowId)));
    if (changed.size === 0 && later.length === 0) break;
    waiting = [...later, ...entries.filter(({ id }) => canPass(outcome.left.get(id), changed))];
  }
  return outcome;
}

/** Returns entries that restore different keys, and those that restore one of the same keys, which the newest entry has first. */
function withDifferentKeys(
  entries: readonly Entry[],
  stateOf: ReadonlyMap<string, ChangeState>,
): { free: Entry[]; later: Entry[] } {
  const keys = new Set<string>();
  const free: Entry[] = [];
  const later: Entry[] = [];
  for (const entry of entries) {
    const key = stateOf.get(entry.id)?.former_key ?? null;
    if (key !== null && keys.has(key)) later.push(entry);
    else free.push(entry);
    if (key !== null) keys.add(key);
  }
  return { free, later };
}

/** Returns whether a change may be possible, now that rows were changed. */
function canPass(why: Obstruction | undefined, changed: ReadonlySet<number>): boolean {
  if (why?.status !== 'failed') return false;
  if (why.reason === 'key_taken') return changed.has(why.by.id);
  return changed.size > 0 && (why.reason === 'parent_below' || why.reason === 'too_deep');
}

function refusalOf(kind: ResourceKind, state: ChangeState | undefined, overwrite: boolean): Obstruction | undefined {
  if (!state || state.is_deleted) return { status: 'failed', reason: 'deleted' };
  if (state.is_without_kind) return { status: 'failed', reason: 'kind_deleted' };
  if (state.changed_since.length > 0 && !overwrite) return { status: 'changed_since', fields: state.changed_since };
  if (state.is_too_long) return { status: 'failed', reason: 'details_too_long' };
  if (!state.key_holder) return undefined;
  return { status: 'failed', reason: 'key_taken', value: state.former_key ?? '', by: { kind, ...state.key_holder } };
}

type MovesBack = { kind: ResourceKind; free: readonly Entry[]; stateOf: ReadonlyMap<string, ChangeState> };

/** Takes back changes together, then one by one those that move locations below others, where nothing is in the way. */
async function moveBack(
  tx: TransactionClient,
  { orgId, author }: Scope,
  { kind, free, stateOf }: MovesBack,
): Promise<Outcome> {
  const left = new Map<string, Obstruction>();
  const parents = new Map<string, number>();
  for (const { id } of free) {
    const state = stateOf.get(id);
    if (state?.moved && state.former_parent_id !== null) parents.set(id, state.former_parent_id);
  }
  const together = free.filter(({ id }) => !parents.has(id));
  let taken = together.length === 0 ? 0 : await takeBackChanges(tx, orgId, { kind, keys: together, author });
  for (const entry of parentsFirst(free, parents)) {
    const state = stateOf.get(entry.id);
    const obstacle = state && (await obstacleAbove(tx, orgId, state));
    if (obstacle) left.set(entry.id, obstacle);
    else taken += await takeBackChanges(tx, orgId, { kind, keys: [entry], author });
  }
  return { taken, left };
}

/** Returns the entries with a former parent, those above first, so that none has to wait for another one. */
function parentsFirst(entries: readonly Entry[], parents: ReadonlyMap<string, number>): ReadonlySet<Entry> {
  const moved = new Map(entries.filter(({ id }) => parents.has(id)).map((entry) => [entry.rowId, entry]));
  const ordered = new Set<Entry>();
  for (const entry of moved.values()) {
    const path = new Set<Entry>();
    for (let next: Entry | undefined = entry; next && !ordered.has(next) && !path.has(next); ) {
      path.add(next);
      next = moved.get(parents.get(next.id) ?? 0);
    }
    for (const one of [...path].reverse()) ordered.add(one);
  }
  return ordered;
}
