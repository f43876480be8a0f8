const levelsMax = 100;
const ownPrefix = 'readers/';

/** Where a reader publishes unless told otherwise. */
export function defaultTopic(username: string): string {
  return `${ownPrefix}${username}/reads`;
}

/**
 * Why a text cannot be registered as the topic of a reader, or undefined if it can: an MQTT topic, with wildcards or
 * without. What begins with `readers/` belongs to the user names, and what begins with `$` to the broker.
 */
export function topicFlaw(topic: string, username: string): string | undefined {
  if (topic.startsWith('$')) return 'must not begin with $';
  if (topic.startsWith(ownPrefix) && !topic.startsWith(`${ownPrefix}${username}/`)) {
    return `must not begin with ${ownPrefix} unless ${username}/ follows`;
  }
  const levels = topic.split('/');
  if (levels.length > levelsMax) return `must have at most ${levelsMax} levels`;
  if (levels.some((level) => level.includes('+') && level !== '+')) return 'may have + only as a whole level';
  if (levels.some((level, index) => level.includes('#') && (level !== '#' || index < levels.length - 1))) {
    return 'may have # only as the whole last level';
  }
  return undefined;
}
