import { t } from '@lingui/core/macro';
import { type EventType, eventNames } from './words.js';

export type MoveTrigger = 'leaving' | 'entering' | 'both';

/** What triggers a rule: a type of event; for changes of location, also the direction. */
export type Trigger = MoveTrigger | Exclude<EventType, 'asset.location_changed'>;

const { 'asset.location_changed': _moves, ...otherEvents } = eventNames;

/** The triggers as a form offers them, the most common first. */
export const triggerNames: Record<Trigger, string> = {
  leaving: t`An asset leaves a location`,
  entering: t`An asset enters a location`,
  both: t`An asset enters or leaves a location`,
  ...otherEvents,
};

export function isTrigger(value: unknown): value is Trigger {
  return typeof value === 'string' && Object.hasOwn(triggerNames, value);
}

/** Returns whether a trigger is about a change of location. */
export function isMove(trigger: Trigger): trigger is MoveTrigger {
  return trigger === 'leaving' || trigger === 'entering' || trigger === 'both';
}

export function eventTypeOf(trigger: Trigger): EventType {
  return isMove(trigger) ? 'asset.location_changed' : trigger;
}

export function triggerOf(eventType: EventType, direction: MoveTrigger): Trigger {
  return eventType === 'asset.location_changed' ? direction : eventType;
}

/** Returns whether a rule can be limited to some assets. */
export const hasAssets = (trigger: Trigger) => isMove(trigger) || trigger.startsWith('asset.');

/** Returns the label of the locations of a rule; undefined if the rule cannot be limited to locations. */
export function locationLabelOf(trigger: Trigger): string | undefined {
  if (isMove(trigger) || trigger === 'asset.dwell_exceeded') return t`Location`;
  if (
    hasThreshold(trigger) ||
    trigger === 'asset.button_pressed' ||
    trigger === 'asset.left_container' ||
    trigger === 'asset.problem_reported'
  )
    return t`Assets at`;
  if (trigger === 'asset.away') return t`Belongs to`;
  if (trigger === 'asset.overdue') return t`Last seen at`;
  if (trigger === 'tag.unknown') return t`Read at`;
  if (trigger.startsWith('reader.')) return t`Readers at`;
  return trigger.startsWith('location.') ? t`Which locations` : undefined;
}

/** Returns whether a rule needs a time limit. */
export const hasLimit = (trigger: Trigger) =>
  trigger === 'asset.overdue' ||
  trigger === 'asset.dwell_exceeded' ||
  trigger === 'asset.away' ||
  trigger === 'reader.offline' ||
  hasThreshold(trigger);

/** Returns whether a rule compares values that tags measure. */
export const hasThreshold = (trigger: Trigger) => thresholdUnitOf(trigger) !== undefined;

export function thresholdUnitOf(trigger: Trigger): '%' | '°C' | undefined {
  if (trigger === 'asset.battery_low') return '%';
  return trigger === 'asset.temperature_high' || trigger === 'asset.temperature_low' ? '°C' : undefined;
}
