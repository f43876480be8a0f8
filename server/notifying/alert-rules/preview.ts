import type { Database } from '../../kernel/database/client.js';
import { type DescribedEvent, describeEvent, eventLocation, referencesOf } from '../events/describe-event.js';
import { isLimit, isTimed, limitTypes } from '../events/event-types.js';
import type { OutboxEvent } from '../events/outbox-queries.js';
import { readSubjects, type Subjects } from '../events/subjects.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { matchesCondition } from './match.js';
import { findPastEvents, type PastEvent, pastEventsMax, previewDays } from './preview-queries.js';
import { metadataKeysOf } from './queries.js';
import { activeHours } from './schedule.js';
import { type RuleInput, ruleInput } from './schemas.js';

/** The events that a rule would have reported. */
export type RulePreview = {
  days: number;
  /** Null if no such history is kept. */
  count: number | null;
  /** Whether there may be more: there were too many to examine, or the history is incomplete. */
  is_at_least: boolean;
  /** The latest events. */
  examples: { at: string; event_type: DescribedEvent['type']; data: Record<string, unknown> }[];
};

const examplesMax = 5;

/** Types whose history is incomplete. */
const partlyKept: readonly string[] = [
  'asset.away',
  'asset.overdue',
  'asset.problem_reported',
  'asset.updated',
  'location.updated',
  'reader.offline',
  ...limitTypes,
];

/** Types whose description has all names. */
const describedWhole: readonly string[] = [
  'asset.left_container',
  'asset.location_changed',
  'asset.problem_reported',
  'tag.unknown',
];

/** Returns how often a rule would have fired in the last seven days, before it is saved. */
export const previewRule = sessionProcedure('manager')
  .input(ruleInput)
  .query(({ ctx, input }): Promise<RulePreview> => preview(ctx.services.db, ctx.orgId, input));

async function preview(db: Database, orgId: number, rule: RuleInput): Promise<RulePreview> {
  const past = await findPastEvents(db, orgId, rule);
  if (!past) return { days: previewDays, count: null, is_at_least: false, examples: [] };
  const events = await describePast(db, orgId, { rule, past: past.slice(0, pastEventsMax) });
  const isActive = activeHours(rule.schedule);
  const { assets, locations, direction } = rule;
  const fitting = events.filter(
    ({ matched, occurredAtMs }) =>
      matchesCondition({ assets, locations, direction }, matched) && isActive(occurredAtMs),
  );
  const fired = withQuietTime(fitting, rule.quiet_seconds * 1000);
  return {
    days: previewDays,
    count: fired.length,
    is_at_least: past.length > pastEventsMax || partlyKept.includes(rule.event_type),
    examples: fired
      .slice(0, examplesMax)
      .map(({ occurredAtMs, type, data }) => ({ at: formatTimestamp(occurredAtMs), event_type: type, data })),
  };
}

async function describePast(
  db: Database,
  orgId: number,
  { rule, past }: { rule: RuleInput; past: readonly PastEvent[] },
): Promise<DescribedEvent[]> {
  const events = past.map((item) => outboxEvent(item, orgId, rule));
  const references = referencesOf(events);
  // For a change, the history has only the present asset instead of the views before and after.
  const assets = events.flatMap(({ asset_id: id }) => (id === null ? [] : [{ orgId, id }]));
  const subjects = await readSubjects(db, { ...references, assets }, metadataKeysOf([{ condition: rule }]));
  return events.map((event) => withNames(describeEvent(event, subjects), event, subjects));
}

function outboxEvent(item: PastEvent, orgId: number, { event_type: type, threshold }: RuleInput): OutboxEvent {
  const { at, asset_id, reader_id, location_id, from_id, to_id, since, tag_type, value } = item;
  const began = since === null ? undefined : formatTimestamp(since);
  const timed = isTimed(type) ? { last_seen_at: began, since: began, last_message_at: began } : {};
  const measured = isLimit(type) ? { value: item.measured, threshold } : {};
  const reported = type === 'asset.problem_reported' ? { text: value } : {};
  const left = type === 'asset.left_container' ? { container_id: from_id, from_id: null } : {};
  const data = { from_id, to_id, tag_type, value, ...timed, ...measured, ...reported, ...left };
  return { id: 0, org_id: orgId, key: '', type, occurred_at: at, asset_id, location_id, reader_id, data };
}

function withNames(described: DescribedEvent, { data }: OutboxEvent, subjects: Subjects): DescribedEvent {
  const { type, assetId, locationId } = described;
  if (describedWhole.includes(type) || type.startsWith('reader.')) return described;
  const asset = subjects.assets.get(assetId ?? 0);
  const location = subjects.locations.get(locationId ?? 0);
  if (!isTimed(type)) {
    const after = asset ?? (location ? eventLocation(location) : null);
    return {
      ...described,
      data: { ...described.data, after },
      matched: { ...described.matched, ...(asset && { asset }) },
    };
  }
  const belongsTo = type === 'asset.away' ? subjects.locations.get(Number(data['from_id'])) : undefined;
  const named = {
    ...data,
    asset,
    location: location ? eventLocation(location) : null,
    ...(belongsTo && { belongs_to: eventLocation(belongsTo) }),
  };
  return { ...described, data: named, matched: { asset, location: (belongsTo ?? location)?.line ?? null } };
}

/**
 * Drops events that a rule would not have reported in its quiet time. Events come newest first, and quiet time runs
 * forward.
 */
function withQuietTime(events: readonly DescribedEvent[], quietMs: number): DescribedEvent[] {
  if (quietMs === 0) return [...events];
  const firedAt = new Map<string, number>();
  const fired = events.toReversed().filter(({ subject, occurredAtMs }) => {
    const last = firedAt.get(subject);
    if (last !== undefined && occurredAtMs - last < quietMs) return false;
    firedAt.set(subject, occurredAtMs);
    return true;
  });
  return fired.reverse();
}
