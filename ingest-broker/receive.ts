import type { Core, Log, MessageContent, ReaderFormat, ReaderLogin } from '../server/index.js';
import { type FormatInput, parsedOnce, type Understanding } from './formats/format.js';
import { formats } from './formats/index.js';
import { recognizeFormat } from './formats/recognize.js';
import { roleOfTopic, type TopicRole } from './topics.js';

/** The maximum payload. Longer messages are rejected. */
export const payloadBytesMax = 256 * 1024;

/**
 * The reader may not publish to this topic. A message at QoS 0 is dropped. Otherwise MQTT 5 has a reason code for it,
 * and with MQTT 3.1.1 the connection has to end without an acknowledgement.
 */
export class ForbiddenTopicError extends Error {
  constructor(topic: string) {
    super(`publishing to ${topic} is not allowed`);
    this.name = 'ForbiddenTopicError';
  }
}

export type Published = {
  topic: string;
  payload: Uint8Array;
  isWill: boolean;
  /** Called with the memory that the parsed message takes while it waits, in addition to its payload. */
  onUnderstood?(bytes: number): void;
};

/** Memory of a parsed read. In the payload it may take only a tenth of this. */
const readBytes = 160;

/**
 * Receives what a reader published, and resolves when it is stored.
 *
 * @throws ForbiddenTopicError, and the errors of `ingest`: the message is then not stored
 */
export async function receive(
  { core, log }: { core: Core; log: Log },
  login: ReaderLogin,
  published: Published,
): Promise<void> {
  const { orgId, readerId } = login;
  const { topic, payload, isWill } = published;
  const role = roleOfTopic(login, topic);
  if (role === 'other' || (role === 'side' && hasReads(login, published, log))) {
    core.readers.note({ orgId, readerId, kind: 'other_topic', subject: topic, payload });
    const what = isWill ? 'its last will to this topic' : 'to this topic';
    const content: MessageContent = { kind: 'rejected', reason: `the reader may not publish ${what}`, payload };
    // The message is stored to show the administrators why it was rejected, and awaited so that acknowledgements stay
    // in order.
    await core.ingestion.ingest({ orgId, readerId, topic, content });
    throw new ForbiddenTopicError(topic);
  }
  const content = contentOf({ login, role }, published, { core, log });
  published.onUnderstood?.(bytesOf(content));
  await core.ingestion.ingest({ orgId, readerId, topic, content });
}

/**
 * Returns whether a message on a side topic has reads after all. Such a message is rejected like a message on any other
 * topic that is not registered; otherwise the reads would be lost unnoticed.
 */
function hasReads(login: ReaderLogin, { topic, payload }: Published, log: Log): boolean {
  const { format, mapping } = login;
  if ((format !== 'auto' && format !== 'mapped') || payload.length > payloadBytesMax) return false;
  return understand(format, { topic, payload, onReadsTopic: false, mapping }, log).kind === 'reads';
}

function bytesOf(content: MessageContent): number {
  if (content.kind === 'reads') return content.reads.length * readBytes + (content.loss?.payload.length ?? 0);
  return content.kind === 'rejected' ? content.payload.length : 0;
}

function contentOf(
  { login, role }: { login: ReaderLogin; role: TopicRole },
  { topic, payload, isWill }: Published,
  { core, log }: { core: Core; log: Log },
): MessageContent {
  if (payload.length > payloadBytesMax) {
    return {
      kind: 'rejected',
      reason: `the payload has ${payload.length} bytes, more than ${payloadBytesMax}`,
      payload,
    };
  }
  if (role === 'side') return { kind: 'status' };
  const { format, mapping, orgId, readerId } = login;
  const input = parsedOnce({ topic, payload, onReadsTopic: role === 'reads', mapping });
  const understood = understand(format, input, log);
  if (understood.kind === 'status') {
    if (!isWill) core.readers.note({ orgId, readerId, kind: 'without_reads', subject: topic, payload });
    return understood;
  }
  if (understood.kind === 'reads') {
    const { reads, loss, missing, unusedTime } = understood;
    if (unusedTime !== undefined) {
      core.readers.note({ orgId, readerId, kind: 'time', subject: '', detail: unusedTime, payload });
    }
    if (missing)
      core.readers.note({ orgId, readerId, kind: 'mapping', subject: '', detail: missing.join(','), payload });
    return { kind: 'reads', reads, ...(loss !== undefined && { loss: { reason: loss, payload } }) };
  }
  // A last will reports that a reader has disconnected, with any content.
  if (isWill) return { kind: 'status' };
  core.readers.noteNotUnderstood(login.readerId, () => recognizeFormat(input));
  return { ...understood, payload };
}

/**
 * Parses a message. If the format throws, the message is rejected as malformed, since its reader would otherwise repeat
 * it forever.
 */
function understand(format: ReaderFormat, input: FormatInput, log: Log): Understanding {
  try {
    return formats[format](input);
  } catch (error) {
    log.error({ err: error, format }, 'a format failed on a message');
    return { kind: 'rejected', reason: `the format ${format} failed on it` };
  }
}
