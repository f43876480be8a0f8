import type { Core, Log, MessageContent, ReaderFormat, ReaderLogin } from '../server/index.js';
import type { FormatInput, Understanding } from './formats/format.js';
import { formats } from './formats/index.js';
import { recognizeFormat } from './formats/recognize.js';
import { isReadsTopic, mayPublish } from './topics.js';

/** The maximum payload; readers send no longer messages. */
export const payloadBytesMax = 256 * 1024;

/** The reader may not publish to this topic: its connection has to end, without an acknowledgement. */
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
  /** Called with the memory of the parsed message while it waits, in addition to the payload. */
  onUnderstood?(bytes: number): void;
};

/** Memory of a read; in the payload it may take a tenth of that. */
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
  if (!mayPublish(login, topic)) {
    const what = isWill ? 'its last will to this topic' : 'to this topic';
    const content: MessageContent = { kind: 'rejected', reason: `the reader may not publish ${what}`, payload };
    // The connection ends either way; storing it only shows the administrators why.
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
  // A last will reports that a reader has disconnected, with any content.
  if (isWill) return { kind: 'status' };
  core.readers.noteNotUnderstood(login.readerId, () => recognizeFormat(input));
  return { ...understood, payload };
}

/**
 * Parses a message. One that makes a format throw is rejected like any other, or its reader would repeat it forever.
 */
function understand(format: ReaderFormat, input: FormatInput, log: Log): Understanding {
  try {
    return formats[format](input);
  } catch (error) {
    log.error({ err: error, format }, 'a format failed on a message');
    return { kind: 'rejected', reason: `the format ${format} failed on it` };
  }
}
