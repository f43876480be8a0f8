import type { ReaderLogin } from '../../server/index.js';
import { mayPublish, maySubscribe } from '../topics.js';

const prefix = 'readers/';

/** Everything that readers publish, by the user name that the broker ties it to. */
export const readersFilter = `${prefix}+/#`;

/** Returns the user name in a topic; empty if there is none. */
export function senderOf(topic: string): string {
  if (!topic.startsWith(prefix)) return '';
  return topic.slice(prefix.length).split('/', 1)[0] ?? '';
}

/**
 * Returns the topic that the reader published to, or undefined for one of its commands, which are not for us. A broker
 * that puts every reader below `readers/<user name>/` by itself (a mount point, a rewrite) has added this prefix; it is
 * removed if the rest is a topic that the reader may publish to.
 */
export function topicOf(login: ReaderLogin, topic: string): string | undefined {
  if (maySubscribe(login, topic)) return undefined;
  const rest = topic.slice(prefix.length + login.username.length + 1);
  if (rest === '' || !mayPublish(login, rest)) return topic;
  return maySubscribe(login, rest) ? undefined : rest;
}
