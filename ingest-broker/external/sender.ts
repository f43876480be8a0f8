import type { ReaderLogin } from '../../server/index.js';
import { mayPublish, maySubscribe } from '../topics.js';

const prefix = 'readers/';

/** Everything that readers publish. The broker puts the user name of the reader into the topic. */
export const readersFilter = `${prefix}+/#`;

/** Returns the user name in a topic; empty if there is none. */
export function senderOf(topic: string): string {
  if (!topic.startsWith(prefix)) return '';
  return topic.slice(prefix.length).split('/', 1)[0] ?? '';
}

/**
 * Returns the topic that the reader published to, or undefined for one of its commands, which are not for us. Some
 * brokers add `readers/<user name>/` before every topic themselves (a mount point, a rewrite). This prefix is removed
 * if the rest is a topic that the reader may publish to.
 */
export function topicOf(login: ReaderLogin, topic: string): string | undefined {
  if (maySubscribe(login, topic)) return undefined;
  const rest = topic.slice(prefix.length + login.username.length + 1);
  if (rest === '' || !mayPublish(login, rest)) return topic;
  return maySubscribe(login, rest) ? undefined : rest;
}
