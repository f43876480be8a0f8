import type { ReaderLogin } from '../server/index.js';
import { sideTopicOf } from './formats/side-topics.js';

const readersPrefix = 'readers/';

/**
 * What a topic is for a reader. `reads`: registered for its reads. `own`: below its own user name, where it may publish
 * anything. `side`: one of the topics that devices of its format publish about themselves. `mixed`: registered, and
 * possibly a side topic. `other`: none of these.
 */
export type TopicRole = 'reads' | 'own' | 'side' | 'mixed' | 'other';

/**
 * Returns the role of a topic. Topics below another user name are always forbidden, even if registered. A side topic
 * that a wildcard of the registered topics matches is still a side topic, unless reads may be published there too.
 */
export function roleOfTopic(login: ReaderLogin, topic: string): TopicRole {
  if (topic.includes('+') || topic.includes('#')) return 'other';
  const isOwn = isBelow(topic, `${readersPrefix}${login.username}/`);
  if (topic.startsWith(readersPrefix) && !isOwn) return 'other';
  const registered = login.publishTopics.filter((filter) => matchesFilter(filter, topic));
  const side = sideTopicOf(login.format, topic);
  if (registered.length > 0 && (side === undefined || registered.includes(topic))) return 'reads';
  if (registered.length > 0 && side === 'possible') return 'mixed';
  if (side !== undefined) return 'side';
  return isOwn ? 'own' : 'other';
}

/** Returns whether a reader may publish to a topic. */
export function mayPublish(login: ReaderLogin, topic: string): boolean {
  return roleOfTopic(login, topic) !== 'other';
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
