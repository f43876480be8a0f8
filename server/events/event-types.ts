/** All events that a rule or a webhook endpoint can subscribe to. */
export const eventTypes = [
  'asset.location_changed',
  'asset.overdue',
  'asset.dwell_exceeded',
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

/** Types caused by a rule's time limit; they are found by the clock, not by a change. */
export const timedTypes = ['asset.overdue', 'asset.dwell_exceeded', 'reader.offline'] as const;

export type TimedType = (typeof timedTypes)[number];

export function isTimed(type: EventType): type is TimedType {
  return timedTypes.some((timed) => timed === type);
}
