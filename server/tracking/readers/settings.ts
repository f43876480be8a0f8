import { randomInt } from 'node:crypto';
import type { TransactionClient } from '../../kernel/database/client.js';
import { sharedLockStatement } from '../../kernel/database/locks.js';
import { type FieldError, fieldError, validationError } from '../../kernel/errors.js';
import { locationNames, type ReaderSettings } from './queries.js';
import type { CreateReaderInput } from './schemas.js';
import { defaultTopic, topicFlaw } from './topics.js';
import type { ReaderRow } from './view.js';

const resolutionSecondsDefault = 60;

/** Without letters and digits that look alike, since people type user names into devices. */
const usernameAlphabet = 'abcdefghjkmnpqrstvwxyz23456789';
const usernameLength = 12;

/** Returns a new user name; its 58 random bits make a collision practically impossible. */
export function newUsername(): string {
  return Array.from({ length: usernameLength }, () => usernameAlphabet[randomInt(usernameAlphabet.length)]).join('');
}

type Given = Partial<Omit<CreateReaderInput, 'antennas'>>;

/** Returns the defaults of a new reader. */
export function initialSettings(name: string, username: string): ReaderSettings {
  return {
    name,
    format: 'auto',
    location_id: null,
    publish_topic: defaultTopic(username),
    more_topics: [],
    resolution_seconds: resolutionSecondsDefault,
    use_receipt_time: false,
    count_private_addresses: false,
    location_rule: 'evidence',
    mapping: null,
  };
}

/**
 * Returns the present settings, overwritten with the given settings.
 *
 * @throws ContractError naming the fields that contradict each other
 */
export function mergedSettings(
  current: Pick<ReaderRow, keyof ReaderSettings>,
  given: Given,
  username: string,
): ReaderSettings {
  const merged = { ...current, ...given };
  const settings: ReaderSettings = {
    ...merged,
    publish_topic: merged.publish_topic ?? defaultTopic(username),
    mapping: mappingOf(merged.format, current.mapping, given),
  };
  const flaws = [...topicErrors(settings, username), ...mappingErrors(settings, given)];
  if (flaws.length > 0) throw validationError(flaws);
  return settings;
}

/** The whole text is the value of a reader of the format `text`, of which only the type of tag is set. */
function mappingOf(
  format: ReaderSettings['format'],
  current: ReaderSettings['mapping'],
  given: Given,
): ReaderSettings['mapping'] {
  if (format === 'mapped') return mergedMapping(current, given);
  const tag_type = given.tag_type ?? current?.tag_type ?? 'rfid';
  return format === 'text' && tag_type !== 'rfid' ? { value: '@', time_unit: 'rfc3339', tag_type } : null;
}

function mergedMapping(current: ReaderSettings['mapping'], given: Given): ReaderSettings['mapping'] {
  const paths = given.mapping === undefined ? current : given.mapping;
  if (paths === null) return null;
  return {
    ...paths,
    time_unit: given.time_unit ?? current?.time_unit ?? 'rfc3339',
    tag_type: given.tag_type ?? current?.tag_type ?? 'rfid',
  };
}

function topicErrors({ publish_topic, more_topics }: ReaderSettings, username: string): FieldError[] {
  const errorOf = (field: string, topic: string): FieldError[] => {
    const flaw = topicFlaw(topic, username);
    return flaw ? [{ field, ...flaw, message: flaw.message.replace('{f}', field) }] : [];
  };
  return [
    ...errorOf('publish_topic', publish_topic),
    ...more_topics.flatMap((topic) => errorOf('more_topics', topic)).slice(0, 1),
  ];
}

function mappingErrors({ format, mapping }: ReaderSettings, given: Given): FieldError[] {
  if (format === 'mapped') {
    return mapping ? [] : [fieldError('mapping', 'required')];
  }
  const others =
    format === 'text' ? (['mapping', 'time_unit'] as const) : (['mapping', 'time_unit', 'tag_type'] as const);
  return others
    .filter((field) => given[field] !== undefined && given[field] !== null)
    .map((field) => fieldError(field, 'only_for_mapped'));
}

/**
 * Verifies that the given locations are live locations of the organization, and locks them until the end of the
 * transaction.
 *
 * @throws ContractError `fk_not_found` for each other location
 */
export async function proveLocations(
  tx: TransactionClient,
  orgId: number,
  { location_id: own, antennas = [] }: Pick<CreateReaderInput, 'location_id' | 'antennas'>,
): Promise<void> {
  const named = [
    { id: own ?? null, path: 'location_id' },
    ...antennas.map(({ location_id }, index) => ({ id: location_id, path: `antennas[${index}].location_id` })),
  ].filter((name): name is { id: number; path: string } => name.id !== null);
  if (named.length === 0) return;
  await tx.$queryRaw(sharedLockStatement('tree', orgId));
  const found = await locationNames(
    tx,
    orgId,
    named.map(({ id }) => id),
  );
  const live = new Set(found.map(({ id }) => id));
  const missing = named.filter(({ id }) => !live.has(id));
  if (missing.length > 0) throw validationError(missing.map(notFound));
}

function notFound({ id, path }: { id: number; path: string }): FieldError {
  const isNested = path !== 'location_id';
  return {
    ...fieldError('location_id', 'not_found', { value: id }),
    ...(isNested && { params: { path } }),
  };
}
