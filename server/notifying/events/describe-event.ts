import { formatTimestamp } from '../../kernel/time.js';
import type { MatchedAsset, MatchedEvent } from '../alert-rules/match.js';
import type { OutboxEvent } from './outbox-queries.js';
import { viewStates } from './recorded-states.js';
import type { NamedLocation, SubjectReferences, Subjects } from './subjects.js';

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

/** Returns an asset as it appears in events. */
export function eventAsset({ id, external_key, name }: MatchedAsset) {
  return { id, external_key, name };
}

/** Returns a location as it appears in events. */
export function eventLocation({ id, external_key, name, path }: NamedLocation) {
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
    note('assets', idIn(data['container_id']));
    note('locations', idIn(data['container_location_id']));
  }
  return references;
}

/** Converts an event from the outbox into the form for receivers. */
export function describeEvent(event: OutboxEvent, subjects: Subjects): DescribedEvent {
  const { org_id: orgId, key, type, occurred_at: occurredAtMs, data } = event;
  const { asset_id: assetId, location_id: locationId, reader_id: readerId } = event;
  const base = { orgId, key, type, occurredAtMs, assetId, locationId, readerId };
  const common = { organization_id: orgId, occurred_at: formatTimestamp(occurredAtMs) };
  const asset = subjects.assets.get(assetId ?? 0);
  const subject = `asset:${assetId}`;
  const named = asset ? eventAsset(asset) : { id: assetId };
  const found = subjects.readers.get(readerId ?? 0);
  const reader = found ? { id: found.id, name: found.name } : null;
  const atReader = { location: lineOf(subjects, found?.location_id ?? null) };
  if (type === 'asset.location_changed') {
    const from = subjects.locations.get(idIn(data['from_id']) ?? 0);
    const to = subjects.locations.get(idIn(data['to_id']) ?? 0);
    const locations = { from: from ? eventLocation(from) : null, to: to ? eventLocation(to) : null };
    const user = subjects.users.get(idIn(data['user_id']) ?? 0) ?? null;
    return {
      ...base,
      locationId: to?.id ?? null,
      subject,
      data: { ...common, asset: named, ...locations, reader, antenna: idIn(data['antenna']), user },
      matched: { asset, move: { from: from?.line ?? null, to: to?.line ?? null } },
    };
  }
  if (type === 'tag.unknown') {
    const { tag_type: tagType, value, antenna } = data;
    return {
      ...base,
      subject: `tag:${String(tagType)}:${String(value)}`,
      data: { ...common, tag_type: tagType, value, reader, antenna },
      matched: atReader,
    };
  }
  const atLocation = (facts: object): DescribedEvent => {
    const location = subjects.locations.get(locationId ?? 0);
    return {
      ...base,
      subject,
      data: { ...common, asset: named, location: location ? eventLocation(location) : null, ...facts },
      matched: { asset, location: location?.line ?? null },
    };
  };
  if (type === 'asset.button_pressed') return atLocation(data);
  if (type === 'asset.left_container') {
    const found = subjects.assets.get(idIn(data['container_id']) ?? 0);
    const at = subjects.locations.get(idIn(data['container_location_id']) ?? 0);
    return atLocation({
      container: found ? eventAsset(found) : { id: idIn(data['container_id']) },
      container_location: at ? eventLocation(at) : null,
    });
  }
  if (type === 'asset.problem_reported') {
    const user = subjects.users.get(idIn(data['user_id']) ?? 0) ?? null;
    const { problem_id: id, text } = data;
    return atLocation({ problem: { id, text }, user });
  }
  if (type === 'reader.online' || type === 'reader.offline') {
    return { ...base, subject: `reader:${readerId}`, data: { ...common, reader, ...data }, matched: atReader };
  }
  // An asset or a location that was created, updated or deleted, with its views before and after.
  const views = viewStates(assetId === null ? 'location' : 'asset', data);
  const states = { ...common, ...views };
  if (assetId !== null) {
    // The public view does not have the kind.
    const changed = { ...((views.after ?? views.before) as MatchedAsset), kind_id: asset?.kind_id ?? null };
    return { ...base, subject, data: states, matched: { asset: changed } };
  }
  const matched = { location: lineOf(subjects, locationId) };
  return { ...base, subject: `location:${locationId}`, data: states, matched };
}

function lineOf(subjects: Subjects, locationId: number | null): readonly number[] | null {
  return locationId === null ? null : (subjects.locations.get(locationId)?.line ?? [locationId]);
}
