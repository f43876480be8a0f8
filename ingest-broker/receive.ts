import type { Core, Log, MessageContent, ReaderFormat, ReaderLogin } from '../server/index.js';
import type { FormatInput, Understanding } from './formats/format.js';
import { formats } from './formats/index.js';
import { recognizeFormat } from './formats/recognize.js';
import { isReadsTopic, mayPublish } from './topics.js';

/** More is no message of a reader. */
export const payloadBytesMax = 256 * 1024;

/** The reader may not publish there: its connection is to end, without an ack. */
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
  /** Told how many bytes what was understood takes while it waits, besides the payload. */
  onUnderstood?(bytes: number): void;
};

/** A read in memory; in a payload it may be a tenth of that. */
const readBytes = 160;

/**
 * Takes what a reader published and resolves when it is stored.
 *
 * @throws ForbiddenTopicError, and what `ingest` throws: the message is then not stored
 */
export async function receive(
  { core, log }: { core: Core; log: Log },
  login: ReaderLogin,
  published: Published,
): Promise<void> {
  const { orgId, readerId } = login;
  const { topic, payload, isWill } = published;
  if (!mayPublish(login, topic)) {
    const what = isWill ? 'its last will to this topic' : 'to this topic';
    const content: MessageContent = { kind: 'rejected', reason: `the reader may not publish ${what}`, payload };
    // The connection ends either way; what is stored of it only tells the administrators why.
    core.ingestion.ingest({ orgId, readerId, topic, content }).catch(() => {});
    throw new ForbiddenTopicError(topic);
  }
  const content = contentOf(login, published, { core, log });
  published.onUnderstood?.(bytesOf(content));
  await core.ingestion.ingest({ orgId, readerId, topic, content });
}

function bytesOf(content: MessageContent): number {
  if (content.kind === 'reads') return content.reads.length * readBytes;
  return content.kind === 'rejected' ? content.payload.length : 0;
}

function contentOf(
  login: ReaderLogin,
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
  const { format, mapping } = login;
  const input = { topic, payload, onReadsTopic: isReadsTopic(login, topic), mapping };
  const understood = understand(format, input, log);
  if (understood.kind !== 'rejected') return understood;
  // A last will says that a reader has gone, in whatever words.
  if (isWill) return { kind: 'status' };
  core.readers.noteNotUnderstood(login.readerId, () => recognizeFormat(input));
  return { ...understood, payload };
}

/** A message that a format stumbles over is rejected like any other, or its reader would send it forever. */
function understand(format: ReaderFormat, input: FormatInput, log: Log): Understanding {
  try {
    return formats[format](input);
  } catch (error) {
    log.error({ err: error, format }, 'a format failed on a message');
    return { kind: 'rejected', reason: `the format ${format} failed on it` };
  }
}
