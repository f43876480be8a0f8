import type { ReaderLogin } from '../../server/index.js';
import { mayPublish, maySubscribe } from '../topics.js';

const prefix = 'readers/';

/** Everything that readers publish, by the user name that the broker has tied it to. */
export const readersFilter = `${prefix}+/#`;

/** The user name that a message came under; empty where its topic has none. */
export function senderOf(topic: string): string {
  if (!topic.startsWith(prefix)) return '';
  return topic.slice(prefix.length).split('/', 1)[0] ?? '';
}

/**
 * The topic that the reader published to, or undefined if it is one of its commands, which are not for us. A broker that
 * puts every reader below `readers/<user name>/` by itself (a mountpoint, a rewrite) has put that in front; it is taken
 * off where what follows is a topic that the reader may publish to.
 */
export function topicOf(login: ReaderLogin, topic: string): string | undefined {
  if (maySubscribe(login, topic)) return undefined;
  const rest = topic.slice(prefix.length + login.username.length + 1);
  if (rest === '' || !mayPublish(login, rest)) return topic;
  return maySubscribe(login, rest) ? undefined : rest;
}
