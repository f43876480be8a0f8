import { randomUUID } from 'node:crypto';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import type { Log } from '../../kernel/log.js';
import { formatTimestamp } from '../../kernel/time.js';
import type { Firing } from '../alerts/open-alerts.js';
import { type DescribedEvent, eventAsset, eventLocation } from '../events/describe-event.js';
import { dispatch } from '../events/dispatch.js';
import { isLimit } from '../events/event-types.js';
import { readSubjects, type Subjects } from '../events/subjects.js';
import { findSubscribers } from '../webhooks/backlog.js';
import { endAway, findAway } from './away-conditions.js';
import { fillBreaches } from './breaches.js';
import {
  type Candidate,
  type CheckProgress,
  type CheckWindow,
  countOpenConditions,
  endConditions,
  findBreaching,
  findOffline,
  findTimedRules,
  findWaiting,
  lockRule,
  lookedUntil,
  noteChecked,
  recordOnline,
  type TimedRule,
} from './condition-queries.js';
import { matchesCondition } from './match.js';
import { findRule, metadataKeysOf, type RuleRow } from './queries.js';
import { activeHours } from './schedule.js';

export const conditionsTask = 'check_conditions';

/** Open conditions of one rule; further ones are not reported. */
export const openConditionsMax = 1000;

/** The number of assets in one check, of new conditions and of rechecked ones. */
const newMax = 1000;
const againMax = 200;

type Checker = { db: Database; log: Log; isMailConfigured: boolean; now?: () => number };

/**
 * Creates the task that finds conditions that begin or end as time passes. Each rule has its own transaction, so the
 * failure of one rule does not affect the others.
 */
export function createConditionsTask({ db, log, isMailConfigured, now = Date.now }: Checker): Task {
  return async (_payload, signal) => {
    for (let afterId = 0; ; ) {
      const rules = await findTimedRules(db, afterId);
      for (const rule of rules) {
        if (signal.aborted) return;
        try {
          await db.$transaction((tx) => checkRule(tx, rule, { nowMs: now(), isMailConfigured }));
        } catch (error) {
          log.warn({ err: error, ruleId: rule.id }, 'a rule could not be checked');
        }
      }
      const last = rules.at(-1);
      if (!last) return;
      afterId = last.id;
    }
  };
}

type Check = { nowMs: number; isMailConfigured: boolean };

async function checkRule(tx: TransactionClient, timed: TimedRule, { nowMs, isMailConfigured }: Check): Promise<void> {
  const progress = await lockRule(tx, timed);
  const rule = progress && (await findRule(tx, timed.org_id, timed.id));
  if (!rule) return;
  if (rule.event_type === 'asset.away') await endAway(tx, rule);
  else await recordOnline(tx, rule.org_id, await endConditions(tx, rule, nowMs));
  if (!activeHours(rule.schedule)(nowMs)) {
    // When the active hours begin, everything is checked again.
    if (progress.checked_until !== null) await noteChecked(tx, rule.id, { checked_until: null, rechecked_until: null });
    return;
  }
  if (isLimit(rule.event_type) && progress.checked_until === null) {
    await fillBreaches(tx, rule.org_id, rule.id);
  }
  const untilMs = nowMs - (rule.limit_seconds ?? 0) * 1000;
  const windows = [
    { rule, afterMs: progress.checked_until, untilMs, candidatesMax: newMax },
    ...recheckWindow(rule, progress),
  ];
  const looked: number[] = [];
  for (const window of windows) {
    const found = await findCandidates(tx, window);
    const candidates = firstOfEachAsset(found).filter(
      ({ is_reportable: isReportable, location_id: locationId }) =>
        isReportable && (rule.event_type !== 'asset.dwell_exceeded' || locationId !== null),
    );
    if (candidates.length > 0) await report(tx, { rule, candidates, nowMs, isMailConfigured });
    looked.push(lookedUntil(found, window));
  }
  const [checkedUntil = untilMs, recheckedUntil] = looked;
  await noteChecked(tx, rule.id, {
    checked_until: checkedUntil,
    // At the end of the checked range, restart from the first one.
    rechecked_until: recheckedUntil === windows[1]?.untilMs ? null : (recheckedUntil ?? progress.rechecked_until),
  });
}

/** Leaves out further tags of an asset. */
function firstOfEachAsset(found: readonly Candidate[]): Candidate[] {
  const seen = new Set<number>();
  return found.filter(({ asset_id: id }) => id === null || (!seen.has(id) && Boolean(seen.add(id))));
}

/**
 * Returns the window to recheck. Late reads cause conditions that began long ago, and conditions that a rule did not
 * report in its quiet time may still hold.
 */
function recheckWindow(rule: RuleRow, progress: CheckProgress): CheckWindow[] {
  if (progress.checked_until === null || rule.event_type === 'reader.offline') return [];
  return [{ rule, afterMs: progress.rechecked_until, untilMs: progress.checked_until, candidatesMax: againMax }];
}

function findCandidates(tx: TransactionClient, window: CheckWindow): Promise<Candidate[]> {
  const type = window.rule.event_type;
  if (isLimit(type)) return findBreaching(tx, window);
  if (type === 'asset.away') return findAway(tx, window);
  return type === 'reader.offline' ? findOffline(tx, window) : findWaiting(tx, window);
}

type Report = Check & { rule: RuleRow; candidates: readonly Candidate[] };

async function report(tx: TransactionClient, { rule, candidates, nowMs, isMailConfigured }: Report): Promise<void> {
  const space = openConditionsMax - (await countOpenConditions(tx, rule.id, openConditionsMax));
  if (space <= 0) return;
  const refer = (id: number | null) => (id === null ? [] : [{ orgId: rule.org_id, id }]);
  const locations = candidates.flatMap(({ location_id, belongs_to_id }) => [
    ...refer(location_id),
    ...refer(belongs_to_id),
  ]);
  const none = { assets: [], readers: [], users: [] };
  const { locations: known } = await readSubjects(tx, { ...none, locations }, []);
  const { assets } = rule.condition;
  // Most candidates are not at the locations of the rule, and need no names.
  const there = candidates.filter(
    ({ asset_id: assetId, location_id, belongs_to_id }) =>
      (assets.kind !== 'chosen' || assetId === null || (assets.ids ?? []).includes(assetId)) &&
      matchesCondition(rule.condition, { location: known.get(belongs_to_id ?? location_id ?? 0)?.line ?? null }),
  );
  if (there.length === 0) return;
  const named = {
    ...none,
    locations: [],
    assets: there.flatMap(({ asset_id }) => refer(asset_id)),
    readers: there.flatMap(({ reader_id }) => refer(reader_id)),
  };
  const subjects = { ...(await readSubjects(tx, named, metadataKeysOf([rule]))), locations: known };
  const firings = there
    .map((candidate): Firing => ({ rule, event: describe(candidate, { rule, subjects, nowMs }), isCondition: true }))
    .filter(({ event }) => matchesCondition(rule.condition, event.matched))
    .slice(0, space);
  const subscribers = await findSubscribers(tx, [rule.org_id]);
  await dispatch(tx, { firings, direct: [], subscribers, isMailConfigured });
}

type Description = { rule: RuleRow; subjects: Subjects; nowMs: number };

function describe(candidate: Candidate, { rule, subjects, nowMs }: Description): DescribedEvent {
  const { asset_id: assetId, reader_id: readerId, location_id: locationId, since, value } = candidate;
  const { threshold } = rule.condition;
  const asset = subjects.assets.get(assetId ?? 0);
  const location = subjects.locations.get(locationId ?? 0);
  const reader = subjects.readers.get(readerId ?? 0);
  const at = formatTimestamp(since);
  const common = {
    organization_id: rule.org_id,
    occurred_at: formatTimestamp(nowMs),
    limit_seconds: rule.limit_seconds,
    location: location ? eventLocation(location) : null,
  };
  const base = { orgId: rule.org_id, key: randomUUID(), type: rule.event_type, occurredAtMs: nowMs };
  const ids = { assetId, readerId, locationId };
  const belongsTo = subjects.locations.get(candidate.belongs_to_id ?? 0);
  const matched = { location: (belongsTo ?? location)?.line ?? null };
  if (assetId === null) {
    const data = { ...common, reader: reader && { id: reader.id, name: reader.name }, last_message_at: at };
    return { ...base, ...ids, subject: `reader:${readerId}`, data, matched };
  }
  const began = rule.event_type === 'asset.overdue' ? { last_seen_at: at } : { since: at };
  const measured = value !== null && { value, threshold };
  const data = {
    ...common,
    asset: asset && eventAsset(asset),
    ...began,
    ...measured,
    ...(belongsTo && { belongs_to: eventLocation(belongsTo) }),
  };
  return { ...base, ...ids, subject: `asset:${assetId}`, data, matched: { ...matched, asset } };
}
