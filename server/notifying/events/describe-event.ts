import type { MatchedEvent } from '../alert-rules/match.js';
import { formatTimestamp } from '../../kernel/time.js';
import type { OutboxEvent } from './outbox-queries.js';
import type { NamedLocation, Subjects, SubjectReferences } from './subjects.js';

/** An event with all the data for receivers, and the properties that rules compare. */
export type DescribedEvent = {
  orgId: number;
  key: string;
  type: OutboxEvent['type'];
  occurredAtMs: number;
  /** The subject of the event, for the quiet time of a rule. */
  subject: string;
  assetId: number | null;
  locationId: number | null;
  readerId: number | null;
  data: Record<string, unknown>;
  matched: MatchedEvent;
};

/** Returns a location as it appears in events. */
export function eventLocation(location: NamedLocation | undefined) {
  if (!location) return null;
  const { id, external_key, name, path } = location;
  return { id, external_key, name, path };
}

const idIn = (value: unknown) => (typeof value === 'number' ? value : null);

/** Returns the ids whose names the events need. */
export function referencesOf(events: readonly OutboxEvent[]): SubjectReferences {
  const references = { assets: [], locations: [], readers: [], users: [] } as Record<
    keyof SubjectReferences,
    { orgId: number; id: number }[]
  >;
  for (const { org_id: orgId, asset_id, location_id, reader_id, data } of events) {
    const note = (kind: keyof SubjectReferences, id: number | null) => {
      if (id !== null) references[kind].push({ orgId, id });
    };
    note('assets', asset_id);
    note('locations', location_id);
    note('readers', reader_id);
    note('locations', idIn(data['from_id']));
    note('locations', idIn(data['to_id']));
    note('users', idIn(data['user_id']));
  }
  return references;
}

/** Converts an event from the outbox into the form for receivers. */
export function describeEvent(event: OutboxEvent, subjects: Subjects): DescribedEvent {
  const { org_id: orgId, key, type, occurred_at: occurredAtMs, data } = event;
  const common = { organization_id: orgId, occurred_at: formatTimestamp(occurredAtMs) };
  const reader = namedReader(event, subjects);
  const base = {
    orgId,
    key,
    type,
    occurredAtMs,
    assetId: event.asset_id,
    locationId: event.location_id,
    readerId: event.reader_id,
  };
  if (type === 'asset.location_changed') {
    const asset = subjects.assets.get(event.asset_id ?? 0);
    const from = subjects.locations.get(idIn(data['from_id']) ?? 0);
    const to = subjects.locations.get(idIn(data['to_id']) ?? 0);
    return {
      ...base,
      locationId: to?.id ?? null,
      subject: `asset:${event.asset_id}`,
      data: {
        ...common,
        asset: asset ? { id: asset.id, external_key: asset.external_key, name: asset.name } : { id: event.asset_id },
        from: eventLocation(from),
        to: eventLocation(to),
        reader,
        antenna: idIn(data['antenna']),
        user: subjects.users.get(idIn(data['user_id']) ?? 0) ?? null,
      },
      matched: { asset, move: { from: from?.line ?? null, to: to?.line ?? null } },
    };
  }
  if (type === 'tag.unknown') {
    const locationId = subjects.readers.get(event.reader_id ?? 0)?.location_id ?? null;
    const { tag_type: tagType, value, antenna } = data;
    return {
      ...base,
      subject: `tag:${String(tagType)}:${String(value)}`,
      data: { ...common, tag_type: tagType, value, reader, antenna },
      matched: { location: lineOf(subjects, locationId) },
    };
  }
  if (type === 'asset.button_pressed') {
    const asset = subjects.assets.get(event.asset_id ?? 0);
    const location = subjects.locations.get(event.location_id ?? 0);
    return {
      ...base,
      subject: `asset:${event.asset_id}`,
      data: {
        ...common,
        asset: asset ? { id: asset.id, external_key: asset.external_key, name: asset.name } : { id: event.asset_id },
        location: eventLocation(location),
        ...data,
      },
      matched: { asset, location: location?.line ?? null },
    };
  }
  if (type === 'reader.online' || type === 'reader.offline') {
    const locationId = subjects.readers.get(event.reader_id ?? 0)?.location_id ?? null;
    return {
      ...base,
      subject: `reader:${event.reader_id}`,
      data: { ...common, reader, ...data },
      matched: { location: lineOf(subjects, locationId) },
    };
  }
  return describeChange(event, { base, common, subjects });
}

type Parts = {
  base: Omit<DescribedEvent, 'subject' | 'data' | 'matched'>;
  common: Record<string, unknown>;
  subjects: Subjects;
};

/**
 * Describes the change of an asset or location that was created, updated or deleted, with its views before and after.
 */
function describeChange(event: OutboxEvent, { base, common, subjects }: Parts): DescribedEvent {
  const { before, after } = event.data;
  const data = { ...common, before: before ?? null, after: after ?? null };
  if (event.asset_id !== null) {
    // The public view does not have the kind.
    const kind = subjects.assets.get(event.asset_id)?.kind_id ?? null;
    const asset = { ...((after ?? before) as NonNullable<MatchedEvent['asset']>), kind_id: kind };
    return { ...base, subject: `asset:${event.asset_id}`, data, matched: { asset } };
  }
  const line = lineOf(subjects, event.location_id);
  return { ...base, subject: `location:${event.location_id}`, data, matched: { location: line } };
}

function lineOf(subjects: Subjects, locationId: number | null): readonly number[] | null {
  return locationId === null ? null : (subjects.locations.get(locationId)?.line ?? [locationId]);
}

function namedReader(event: OutboxEvent, subjects: Subjects): { id: number; name: string } | null {
  const reader = subjects.readers.get(event.reader_id ?? 0);
  return reader ? { id: reader.id, name: reader.name } : null;
}
