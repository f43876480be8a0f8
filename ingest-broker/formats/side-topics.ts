import type { ReaderFormat } from '../../server/parsing.js';
import type { FrameFormat } from './frame-format.js';
import { textSideTopics } from './text.js';
import { vendors } from './vendors.js';

/** What bridges of Mosquitto and the discovery of Home Assistant add to the topics of any device. */
const common = [
  '$SYS/broker/connection/*/state',
  'homeassistant/*/*/config',
  'homeassistant/*/*/*/config',
  'homeassistant/status',
];

const ofVendors = Object.entries<FrameFormat>(vendors).map(
  ([name, { sideTopics = [] }]) => [name, sideTopics] as const,
);

const own: Partial<Record<ReaderFormat, readonly string[]>> = {
  ...Object.fromEntries(ofVendors),
  // Nodes of ESPresense send messages that the format understands too.
  theengs: [...(vendors.theengs.sideTopics ?? []), ...(vendors.espresense.sideTopics ?? [])],
  text: textSideTopics,
};

/** Names that need no context. A device of unknown make may have any of these side topics. */
const isDistinctive = (pattern: string) =>
  !/^\*\*\/(?:status|debug|online|status\/\*|sync|\w+\/\*\/state)$/.test(pattern);
const all = [...new Set(Object.values(own).flat())].filter(isDistinctive);

/**
 * Returns whether devices of a format publish to a topic what is about themselves: last will, state, version, discovery.
 * `certain`: nothing else is ever published there; `possible`: reads are too, in some settings of the device.
 */
export function sideTopicOf(format: ReaderFormat, topic: string): 'certain' | 'possible' | undefined {
  const patterns = format === 'auto' || format === 'mapped' ? all : (own[format] ?? []);
  const levels = topic.split('/');
  const matching = [...common, ...patterns].filter((pattern) => matches(pattern.replace(/\?$/, '').split('/'), levels));
  if (matching.length === 0) return undefined;
  // With another make of device, the same topic may carry reads.
  const isOwn = format !== 'auto' && format !== 'mapped';
  return isOwn && matching.some((pattern) => !pattern.endsWith('?')) ? 'certain' : 'possible';
}

/** Matches levels; `*` stands for one level, `**` at the begin or end for at least one. */
function matches(pattern: readonly string[], levels: readonly string[]): boolean {
  if (pattern[0] === '**') {
    const tail = pattern.slice(1);
    return levels.length > tail.length && !levels[0]?.startsWith('$') && matches(tail, levels.slice(-tail.length));
  }
  if (pattern.at(-1) === '**') {
    const head = pattern.slice(0, -1);
    return levels.length > head.length && matches(head, levels.slice(0, head.length));
  }
  return pattern.length === levels.length && pattern.every((level, index) => level === '*' || level === levels[index]);
}
