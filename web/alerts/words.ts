import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';
import { durationText } from '../ui/times.js';

export type AlertItem = Outputs['alerts']['list']['data'][number];
export type EventType = AlertItem['event_type'];

/** What webhooks receive and rules report, in words. */
export const eventNames: Record<EventType, string> = {
  'asset.location_changed': t`An asset changes its location`,
  'asset.overdue': t`An asset is not seen for some time`,
  'asset.dwell_exceeded': t`An asset is at a location for too long`,
  'reader.offline': t`A reader goes offline`,
  'reader.online': t`A reader comes back online`,
  'tag.unknown': t`An unknown tag is read`,
  'asset.created': t`An asset is created`,
  'asset.updated': t`An asset is changed`,
  'asset.deleted': t`An asset is deleted`,
  'location.created': t`A location is created`,
  'location.updated': t`A location is changed`,
  'location.deleted': t`A location is deleted`,
};

export const eventTypes = Object.keys(eventNames) as EventType[];

const changeNames: Record<string, string> = { created: 'created', updated: 'changed', deleted: 'deleted' };

/** A thing that an event names. `path` is that of a location. */
export type Named = { id: number | null; name: string; path: readonly string[] };

/** Reads what an event's data has under a key; undefined where it has nothing with a name. */
export function namedIn(data: Record<string, unknown>, key: string): Named | undefined {
  const value = data[key];
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string')
    return undefined;
  const path = 'path' in value && Array.isArray(value.path) ? value.path.map(String) : [];
  return { id: 'id' in value && typeof value.id === 'number' ? value.id : null, name: value.name, path };
}

export function textIn(data: Record<string, unknown>, key: string): string | undefined {
  const value = data[key];
  return typeof value === 'string' ? value : undefined;
}

function limitText(data: Record<string, unknown>): string {
  const seconds = data['limit_seconds'];
  return typeof seconds === 'number' ? durationText(seconds * 1000) : 'too long';
}

/** Describes an alert in one sentence, such as "Forklift 7 moved from Hall to Yard". */
export function alertText({ event_type: type, data }: Pick<AlertItem, 'event_type' | 'data'>): string {
  const name = (key: string) => namedIn(data, key)?.name;
  const changed = name('after') ?? name('before');
  const asset = name('asset') ?? changed ?? t`An asset`;
  const reader = name('reader');
  const location = name('location');
  switch (type) {
    case 'asset.location_changed':
      return moveText(asset, name('from'), name('to'));
    case 'asset.overdue':
      return t`${asset} has not been seen for ${limitText(data)}${location === undefined ? '' : t`, last at ${location}`}`;
    case 'asset.dwell_exceeded':
      return t`${asset} has been at ${location ?? t`a location`} for more than ${limitText(data)}`;
    case 'reader.offline':
      return t`Reader ${reader ?? t`without a name`} has sent nothing for ${limitText(data)}`;
    case 'reader.online':
      return t`Reader ${reader ?? t`without a name`} is back online`;
    case 'tag.unknown':
      return t`Unknown tag ${textIn(data, 'value') ?? ''} was read by ${reader === undefined ? t`a handheld` : t`reader ${reader}`}`;
    case 'asset.created':
    case 'asset.updated':
    case 'asset.deleted':
      return t`${asset} was ${changeNames[type.slice('asset.'.length)] ?? 'changed'}`;
    default:
      return t`${changed ?? t`A location`} was ${changeNames[type.slice('location.'.length)] ?? 'changed'}`;
  }
}

function moveText(asset: string, from: string | undefined, to: string | undefined): string {
  if (from !== undefined && to !== undefined) return t`${asset} moved from ${from} to ${to}`;
  if (to !== undefined) return t`${asset} arrived at ${to}`;
  return from === undefined ? t`${asset} moved` : t`${asset} left ${from}`;
}
