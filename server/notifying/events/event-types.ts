/** All events that a rule or a webhook endpoint can subscribe to. */
export const eventTypes = [
  'asset.location_changed',
  'asset.overdue',
  'asset.dwell_exceeded',
  'asset.away',
  'asset.battery_low',
  'asset.temperature_high',
  'asset.temperature_low',
  'asset.button_pressed',
  'asset.left_container',
  'asset.problem_reported',
  'reader.offline',
  'reader.online',
  'tag.unknown',
  'asset.created',
  'asset.updated',
  'asset.deleted',
  'location.created',
  'location.updated',
  'location.deleted',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Types caused by what tags measure, above or below the threshold of a rule for its time limit. */
export const limitTypes = ['asset.battery_low', 'asset.temperature_high', 'asset.temperature_low'] as const;

export type LimitType = (typeof limitTypes)[number];

export function isLimit(type: EventType): type is LimitType {
  return limitTypes.some((limit) => limit === type);
}

/** Types caused by a rule's time limit; they are found by the clock, not by a change. */
export const timedTypes = [
  'asset.overdue',
  'asset.dwell_exceeded',
  'asset.away',
  'reader.offline',
  ...limitTypes,
] as const;

export type TimedType = (typeof timedTypes)[number];

export function isTimed(type: EventType): type is TimedType {
  return timedTypes.some((timed) => timed === type);
}
