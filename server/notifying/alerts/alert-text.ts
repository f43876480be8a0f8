import type { MailWords } from '../../people/mail/layout.js';
import { instantFor, type MailPerson, wordsFor } from '../../people/mail/person.js';

type Data = Record<string, unknown>;

const record = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});

function nameOf(value: unknown, fallback: string): string {
  const { name } = record(value);
  return typeof name === 'string' ? name : fallback;
}

/** Describes an event in one sentence for a person, such as "Forklift 7 moved from Hall 1 to Yard". */
export function alertText(person: MailPerson, eventType: string, data: Data): MailWords {
  const words = wordsFor(person);
  const locationOf = (value: unknown): string => {
    const { path } = record(value);
    return Array.isArray(path) ? path.join(' › ') : words`no location`;
  };
  const instantOf = (value: unknown): string => {
    const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(ms) ? words`never` : instantFor(person, ms);
  };
  const isOfLocation = eventType.startsWith('location.');
  const subject = nameOf(
    data['asset'] ?? data['after'] ?? data['before'],
    isOfLocation ? words`A location` : words`An asset`,
  );
  const reader = nameOf(data['reader'], words`A reader`);
  const handheld = words`a handheld`;
  const container = nameOf(data['container'], words`its container`);
  switch (eventType) {
    case 'asset.location_changed':
      return words`${subject} moved from ${locationOf(data['from'])} to ${locationOf(data['to'])}`;
    case 'asset.overdue':
      return words`${subject} has not been seen since ${instantOf(data['last_seen_at'])}, last at ${locationOf(data['location'])}`;
    case 'asset.dwell_exceeded':
      return words`${subject} has been at ${locationOf(data['location'])} since ${instantOf(data['since'])}`;
    case 'asset.away':
      return words`${subject} belongs to ${locationOf(data['belongs_to'])}, and has been away since ${instantOf(data['since'])}, now at ${locationOf(data['location'])}`;
    case 'asset.battery_low':
      return words`The battery of ${subject} is at ${String(data['value'])} %`;
    case 'asset.temperature_high':
    case 'asset.temperature_low':
      return words`The temperature of ${subject} is ${String(data['value'])} °C since ${instantOf(data['since'])}`;
    case 'asset.button_pressed':
      return words`The button of ${subject} was pressed`;
    case 'asset.left_container':
      return words`${subject} left ${container} at ${locationOf(data['location'])}`;
    case 'asset.problem_reported':
      return words`Problem of ${subject} reported: ${String(record(data['problem'])['text'])}`;
    case 'reader.offline':
      return words`Reader ${reader} has sent nothing since ${instantOf(data['last_message_at'])}`;
    case 'reader.online':
      return words`Reader ${reader} is back`;
    case 'tag.unknown':
      return words`Unknown tag ${String(data['value'])} was read by ${nameOf(data['reader'], handheld)}`;
    default:
      if (eventType.endsWith('.created')) return words`${subject} was created`;
      return eventType.endsWith('.deleted') ? words`${subject} was deleted` : words`${subject} was updated`;
  }
}

/** Returns the name and the app's path of the object of an event; undefined if it no longer has a page. */
export function subjectOf(
  eventType: string,
  data: Data,
  { asset_id: assetId, location_id: locationId, reader_id: readerId }: SubjectIds,
): { name: string | undefined; path: string } | undefined {
  const named = (value: unknown) => nameOf(value, '') || undefined;
  if (eventType.endsWith('.deleted')) return undefined;
  if (eventType === 'tag.unknown') return { name: undefined, path: '/unknown-tags' };
  const changed = data['asset'] ?? data['after'] ?? data['before'];
  if (assetId !== null) return { name: named(changed), path: `/assets/${assetId}` };
  if (eventType.startsWith('reader.') && readerId !== null)
    return { name: named(data['reader']), path: `/readers/${readerId}` };
  return locationId === null ? undefined : { name: named(changed), path: `/locations/${locationId}` };
}

export type SubjectIds = { asset_id: number | null; location_id: number | null; reader_id: number | null };
