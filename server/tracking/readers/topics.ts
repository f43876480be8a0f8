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
