import { z } from 'zod';
import type { EventType } from './event-types.js';

// The events as receivers of webhooks get them. The description of the webhooks and the types of the TypeScript client are
// made of these schemas, and tests compare every event that they receive with them.

const id = z.int();
const instant = z.string().meta({ format: 'date-time' });

const asset = z.object({ id, external_key: z.string(), name: z.string() });
const namedLocation = z.object({
  id,
  external_key: z.string(),
  name: z.string(),
  path: z.array(z.string()).describe('The names from the top of the tree down to the location.'),
});
const location = namedLocation.nullable();
const namedReader = z.object({ id, name: z.string() });
const reader = namedReader.nullable();
const namedUser = z.object({ id, name: z.string() });
const user = namedUser.nullable();
const antenna = z.int().nullable();
const limitSeconds = z.int().describe('The time limit of the rule.');

/** The views of the public API, described by the schema that the description has for them. */
const views = {
  asset: z.record(z.string(), z.unknown()),
  location: z.record(z.string(), z.unknown()),
};

const changed = (view: keyof typeof views) => ({
  before: views[view].nullable().describe('Before the change; null for one that is new or restored.'),
  after: views[view].nullable().describe('After the change; null for one that was deleted.'),
});

const measured = {
  asset,
  location: location.describe('Where the asset is.'),
  since: instant.describe('Since when.'),
  value: z.number().describe('The measured value, in percent or °C.'),
  threshold: z.number().describe('The threshold of the rule, in percent or °C.'),
  limit_seconds: limitSeconds,
};

/** An event for receivers: when it happens, and its data beside what all events have. */
type DescribedType = { words: string; data: z.ZodRawShape };

const described: Record<EventType | 'webhook.test', DescribedType> = {
  'asset.location_changed': {
    words: 'The decided location of an asset changed.',
    data: {
      asset,
      from: location.describe('Where the asset was; null for no location.'),
      to: location.describe('Where the asset is now; null for no location.'),
      reader: reader.describe('The reader that received it; null for a scan by hand, and for a move with a container.'),
      antenna,
      user: user.describe('The person who placed it or its container; null for a reader.'),
    },
  },
  'asset.overdue': {
    words: 'An asset was not read for the time of a rule.',
    data: { asset, location, last_seen_at: instant, limit_seconds: limitSeconds },
  },
  'asset.dwell_exceeded': {
    words: 'An asset is at a location for longer than the time of a rule.',
    data: { asset, location, since: instant, limit_seconds: limitSeconds },
  },
  'asset.away': {
    words: 'An asset is away from the location that it belongs to for longer than the time of a rule.',
    data: {
      asset,
      location: location.describe('Where the asset is.'),
      belongs_to: location.describe('Where it belongs.'),
      since: instant.describe('When it left; if it was never there, since when it is where it is.'),
      limit_seconds: limitSeconds,
    },
  },
  'asset.battery_low': {
    words: 'The battery of a tag was below the threshold of a rule for its time.',
    data: measured,
  },
  'asset.temperature_high': { words: 'A temperature was above the threshold of a rule for its time.', data: measured },
  'asset.temperature_low': { words: 'A temperature was below the threshold of a rule for its time.', data: measured },
  'asset.button_pressed': {
    words: 'The button of a tag was pressed.',
    data: {
      asset,
      location,
      tag_type: z.string(),
      value: z.string().describe('The value of the tag.'),
      press: z.int().describe('1 for a single press, 2 for a double, 3 for a triple, 4 for a long one.'),
    },
  },
  'asset.left_container': {
    words: 'The reads of an asset say that it has left the container that it was in.',
    data: {
      asset,
      location: location.describe('Where the asset was when it left the container, or came to.'),
      container: asset.describe('The asset that it was in.'),
      container_location: location.describe('Where the container was; null for no location.'),
    },
  },
  'asset.problem_reported': {
    words: 'Somebody reported a problem of an asset in the app.',
    data: {
      asset,
      location: location.describe('Where the asset was then.'),
      problem: z.object({ id, text: z.string() }),
      user: user.describe('The person who reported it.'),
    },
  },
  'reader.offline': {
    words: 'A reader sent no message for the time of a rule.',
    data: { reader, location, last_message_at: instant, limit_seconds: limitSeconds },
  },
  'reader.online': {
    words: 'A reader that a rule had reported as offline is back.',
    data: { reader, last_message_at: instant },
  },
  'tag.unknown': {
    words: 'A tag that belongs to nothing was read for the first time in 30 days.',
    data: { tag_type: z.string().nullable(), value: z.string(), reader, antenna },
  },
  'asset.created': { words: 'An asset was created or restored.', data: changed('asset') },
  'asset.updated': { words: 'An asset was changed.', data: changed('asset') },
  'asset.deleted': { words: 'An asset was deleted.', data: changed('asset') },
  'location.created': { words: 'A location was created or restored.', data: changed('location') },
  'location.updated': { words: 'A location was changed.', data: changed('location') },
  'location.deleted': { words: 'A location was deleted.', data: changed('location') },
  'webhook.test': { words: 'An administrator sent a test event.', data: { message: z.string() } },
};

const namedRule = z.object({ id, name: z.string() });
const rules = z.array(namedRule).describe('The alert rules that sent the event, if any did.');

/** An event for receivers: its type, when it happens, and the schema of its body. */
export type EventDescription = { type: string; words: string; body: z.ZodObject };

/** All events that a webhook can receive. */
export const eventDescriptions: readonly EventDescription[] = Object.entries(described).map(
  ([type, { words, data }]) => ({
    type,
    words,
    body: z.object({
      type: z.literal(type),
      timestamp: instant.describe('When the event happened.'),
      data: z.object({ organization_id: id, occurred_at: instant, ...data }),
      rules: rules.exactOptional(),
    }),
  }),
);

/** The schemas of parts of events, by name. */
export const eventParts: Readonly<Record<string, z.ZodType>> = {
  NamedAsset: asset,
  NamedLocation: namedLocation,
  NamedReader: namedReader,
  NamedUser: namedUser,
  NamedRule: namedRule,
  EventAsset: views.asset,
  EventLocation: views.location,
};

/** The parts that the description of the API has under another name. */
export const eventViews = [
  { name: 'EventAsset', view: 'AssetView' },
  { name: 'EventLocation', view: 'LocationView' },
] as const;
