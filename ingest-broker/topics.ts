import type { ReaderLogin } from '../server/index.js';

const readersPrefix = 'readers/';

/**
 * Returns whether a reader may publish to a topic: below its own user name, or where it is registered. Topics below
 * another user name or beginning with `$` are always forbidden, even if registered.
 */
export function mayPublish(login: ReaderLogin, topic: string): boolean {
  if (topic.includes('+') || topic.includes('#')) return false;
  if (topic.startsWith(readersPrefix)) return isBelow(topic, `${readersPrefix}${login.username}/`);
  return isReadsTopic(login, topic);
}

/** Returns whether a topic matches the one registered for the reader's reads. */
export function isReadsTopic(login: ReaderLogin, topic: string): boolean {
  return matchesFilter(login.publishTopic, topic);
}

/** Returns whether a reader may subscribe to a filter: only to its own commands. */
export function maySubscribe(login: ReaderLogin, filter: string): boolean {
  const commands = `${readersPrefix}${login.username}/commands`;
  return filter === commands || isBelow(filter, `${commands}/`);
}

/**
 * Matches by the rules of MQTT: `+` is one level, `#` the rest with its parent, and neither matches a leading `$`
 * ([MQTT-4.7.2-1]).
 */
export function matchesFilter(filter: string, topic: string): boolean {
  if (topic.startsWith('$') !== filter.startsWith('$')) return false;
  const wanted = filter.split('/');
  const levels = topic.split('/');
  for (const [index, level] of wanted.entries()) {
    if (level === '#') return true;
    if (index >= levels.length || (level !== '+' && level !== levels[index])) return false;
  }
  return wanted.length === levels.length;
}

function isBelow(topic: string, prefix: string): boolean {
  return topic.startsWith(prefix) && topic.length > prefix.length;
}
