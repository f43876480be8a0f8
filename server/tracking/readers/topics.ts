import { type FieldFault, fieldFault } from '../../kernel/field-reasons.js';

const levelsMax = 100;
const ownPrefix = 'readers/';

/** Returns the default topic of a reader. */
export function defaultTopic(username: string): string {
  return `${ownPrefix}${username}/reads`;
}

/**
 * Returns why a text cannot be the topic of a reader, or undefined if it can: an MQTT topic, with or without wildcards.
 * Topics that begin with `readers/` belong to the user names, and topics that begin with `$` to the broker.
 */
export function topicFlaw(topic: string, username: string): FieldFault | undefined {
  if (topic.startsWith('$')) return fieldFault('topic_begins_with_dollar');
  if (topic.startsWith(ownPrefix) && !topic.startsWith(`${ownPrefix}${username}/`)) {
    return fieldFault('topic_of_other_reader', { prefix: ownPrefix, username });
  }
  const levels = topic.split('/');
  if (levels.length > levelsMax) return fieldFault('topic_too_deep', { max: levelsMax });
  if (levels.some((level) => level.includes('+') && level !== '+')) return fieldFault('plus_within_level');
  if (levels.some((level, index) => level.includes('#') && (level !== '#' || index < levels.length - 1))) {
    return fieldFault('hash_not_last');
  }
  return undefined;
}
