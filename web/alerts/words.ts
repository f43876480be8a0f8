import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';
import { numberText } from '../ui/quantity.js';
import { durationText } from '../ui/times.js';

export type AlertItem = Outputs['alerts']['list']['data'][number];
export type EventType = AlertItem['event_type'];

/** Names of the events that webhooks receive and rules report. */
export const eventNames: Record<EventType, string> = {
  'asset.location_changed': t`An asset changes its location`,
  'asset.overdue': t`An asset is not seen for some time`,
  'asset.dwell_exceeded': t`An asset is at a location for too long`,
  'asset.away': t`An asset is away from where it belongs for too long`,
  'asset.battery_low': t`The battery of a tag is low`,
  'asset.temperature_high': t`The temperature of a tag is too high`,
  'asset.temperature_low': t`The temperature of a tag is too low`,
  'asset.button_pressed': t`The button of a tag is pressed`,
  'asset.left_container': t`An asset leaves its container`,
  'asset.problem_reported': t`A problem of an asset is reported`,
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

/** An object in an event. `path` is the path of a location. */
export type Named = { id: number | null; name: string; path: readonly string[] };

/** Returns the named object under a key of an event's data; undefined if there is none. */
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

/** Returns the text of a reported problem; undefined if the event is about something else. */
export function problemIn({ problem }: Record<string, unknown>): string | undefined {
  return typeof problem === 'object' && problem !== null ? textIn({ ...problem }, 'text') : undefined;
}

function limitText(data: Record<string, unknown>): string | undefined {
  const seconds = data['limit_seconds'];
  return typeof seconds === 'number' ? durationText(seconds * 1000) : undefined;
}

/** Describes an alert in one sentence, such as "Forklift 7 moved from Hall to Yard". */
export function alertText({ event_type: type, data }: Pick<AlertItem, 'event_type' | 'data'>): string {
  const name = (key: string) => namedIn(data, key)?.name;
  const changed = name('after') ?? name('before');
  const asset = name('asset') ?? changed ?? t`An asset`;
  const reader = name('reader');
  const location = name('location');
  const limit = limitText(data);
  switch (type) {
    case 'asset.location_changed':
      return moveText(asset, name('from'), name('to'));
    case 'asset.overdue':
      return overdueText(asset, limit, location);
    case 'asset.dwell_exceeded':
      return dwellText(asset, limit, location);
    case 'asset.away':
      return awayText(asset, { limit, own: name('belongs_to'), location });
    case 'asset.battery_low': {
      const percent = numberText(numberIn(data, 'value'));
      return t`The battery of ${asset} is at ${percent} %`;
    }
    case 'asset.temperature_high':
    case 'asset.temperature_low':
      return temperatureText(type, asset, data);
    case 'asset.button_pressed':
      return t`The button of ${asset} was pressed`;
    case 'asset.left_container': {
      const container = name('container') ?? t`its container`;
      return location === undefined ? t`${asset} left ${container}` : t`${asset} left ${container} at ${location}`;
    }
    case 'asset.problem_reported':
      return t`Problem of ${asset} reported: ${problemIn(data) ?? ''}`;
    case 'reader.offline':
      return silenceText(reader, limit);
    case 'reader.online':
      return reader === undefined ? t`Reader without a name is back online` : t`Reader ${reader} is back online`;
    case 'tag.unknown': {
      const value = textIn(data, 'value') ?? '';
      return reader === undefined
        ? t`Unknown tag ${value} was read by a handheld`
        : t`Unknown tag ${value} was read by reader ${reader}`;
    }
    case 'asset.created':
      return t`${asset} was created`;
    case 'asset.updated':
      return t`${asset} was changed`;
    case 'asset.deleted':
      return t`${asset} was deleted`;
    case 'location.created':
      return t`${changed ?? t`A location`} was created`;
    case 'location.updated':
      return t`${changed ?? t`A location`} was changed`;
    case 'location.deleted':
      return t`${changed ?? t`A location`} was deleted`;
  }
}

type Away = { limit: string | undefined; own: string | undefined; location: string | undefined };

function awayText(asset: string, { limit = '', own, location }: Away): string {
  if (own === undefined || location === undefined) return t`${asset} has been away for ${limit}`;
  return t`${asset} belongs to ${own} and has been away for ${limit}, now at ${location}`;
}

function overdueText(asset: string, limit: string | undefined, location: string | undefined): string {
  if (limit === undefined) return t`${asset} has not been seen for too long`;
  return location === undefined
    ? t`${asset} has not been seen for ${limit}`
    : t`${asset} has not been seen for ${limit}, last at ${location}`;
}

function dwellText(asset: string, limit: string | undefined, location: string | undefined): string {
  const locationName = location ?? t`a location`;
  return limit === undefined
    ? t`${asset} has been at ${locationName} for too long`
    : t`${asset} has been at ${locationName} for more than ${limit}`;
}

function numberIn(data: Record<string, unknown>, key: string): number {
  const value = data[key];
  return typeof value === 'number' ? value : Number.NaN;
}

function temperatureText(
  type: 'asset.temperature_high' | 'asset.temperature_low',
  asset: string,
  data: Record<string, unknown>,
): string {
  const degrees = numberText(numberIn(data, 'value'));
  const limit = numberText(numberIn(data, 'threshold'));
  return type === 'asset.temperature_high'
    ? t`${asset} has ${degrees} °C, above ${limit} °C`
    : t`${asset} has ${degrees} °C, below ${limit} °C`;
}

function silenceText(reader: string | undefined, limit: string | undefined): string {
  const name = reader ?? t`without a name`;
  return limit === undefined
    ? t`Reader ${name} has sent nothing for too long`
    : t`Reader ${name} has sent nothing for ${limit}`;
}

function moveText(asset: string, from: string | undefined, to: string | undefined): string {
  if (from !== undefined && to !== undefined) return t`${asset} moved from ${from} to ${to}`;
  if (to !== undefined) return t`${asset} arrived at ${to}`;
  return from === undefined ? t`${asset} moved` : t`${asset} left ${from}`;
}
