import type { Core, Log, MessageContent, ReaderLogin } from '../server/index.js';
import { type FormatInput, parsedOnce, type Understanding } from './formats/format.js';
import { formats } from './formats/index.js';
import { recognizeFormat } from './formats/recognize.js';
import { createMappingJudge } from './mappings/mapping-judge.js';
import { roleOfTopic } from './topics.js';

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

/** Parsing a longer payload takes milliseconds, so it waits for its organization's turn at the event loop. */
const shortPayloadBytesMax = 16 * 1024;

/** Memory of a parsed read. In the payload it may take only a tenth of this. */
const readBytes = 160;

/** What becomes of a message. */
type Verdict = {
  content: MessageContent;
  /** Whether the reader may not publish to its topic. */
  isForbidden: boolean;
};

type Arrival = { login: ReaderLogin; input: FormatInput };

export type Receiver = {
  /**
   * Receives what a reader published, and resolves when it is stored.
   *
   * @throws ForbiddenTopicError, ProcessStoppedError, and the errors of `ingest`: the message is then not stored
   */
  receive(login: ReaderLogin, published: Published): Promise<void>;
  /** Evaluates no mappings any more. */
  stop(): Promise<void>;
};

/**
 * Creates the receiver of a listener. Messages are judged at once, except that long ones wait for the turn of their
 * organization, and those of a mapping until it was evaluated. The messages of a reader are stored in order, also when
 * some of them wait and others do not.
 */
export function createReceiver({ core, log }: { core: Core; log: Log }): Receiver {
  const mappings = createMappingJudge({ log });
  /** Resolves when the last waiting message of a reader is passed on to be stored. */
  const lastTurns = new Map<number, Promise<void>>();

  async function receive(login: ReaderLogin, published: Published): Promise<void> {
    const { orgId, readerId } = login;
    const { topic, payload } = published;
    const judged =
      payload.length > shortPayloadBytesMax
        ? core.loopTurns.next(orgId).then(() => judge(login, published))
        : judge(login, published);
    const before = lastTurns.get(readerId);
    const verdict = before || judged instanceof Promise ? await inTurn(readerId, judged, before) : judged;
    const { content, isForbidden } = verdict;
    if (isForbidden) core.readers.note({ orgId, readerId, kind: 'other_topic', subject: topic, payload });
    else published.onUnderstood?.(bytesOf(content));
    // A message on a forbidden topic is stored to show the administrators why it was rejected, and awaited so that
    // acknowledgements stay in order.
    await core.ingestion.ingest({ orgId, readerId, topic, content });
    if (isForbidden) throw new ForbiddenTopicError(topic);
  }

  /** Waits for the verdict, and until the messages before it are passed on. */
  function inTurn(readerId: number, judged: Verdict | Promise<Verdict>, before: Promise<void> | undefined) {
    const verdict = Promise.all([judged, before]).then(([verdict]) => verdict);
    const passedOn = verdict.then(
      () => {},
      () => {},
    );
    lastTurns.set(readerId, passedOn);
    void passedOn.then(() => {
      if (lastTurns.get(readerId) === passedOn) lastTurns.delete(readerId);
    });
    return verdict;
  }

  function judge(login: ReaderLogin, published: Published): Verdict | Promise<Verdict> {
    const { topic, payload } = published;
    const role = roleOfTopic(login, topic);
    if (role === 'other') return forbidden(published);
    if (payload.length > payloadBytesMax) {
      const reason = `the payload has ${payload.length} bytes, more than ${payloadBytesMax}`;
      return allowed({ kind: 'rejected', reason, payload });
    }
    const isSide = role === 'side';
    if (isSide && login.format !== 'auto' && login.format !== 'mapped') return allowed({ kind: 'status' });
    const input = parsedOnce({ topic, payload, onReadsTopic: role === 'reads', mapping: login.mapping });
    const verdictOn = (understood: Understanding): Verdict => {
      if (!isSide) return allowed(contentOf({ login, input }, published, understood));
      // The reads would be lost unnoticed, as nothing is read on such a topic.
      return understood.kind === 'reads' ? forbidden(published) : allowed({ kind: 'status' });
    };
    const understood = understand({ login, input });
    return understood instanceof Promise ? understood.then(verdictOn) : verdictOn(understood);
  }

  function contentOf(arrival: Arrival, published: Published, understood: Understanding): MessageContent {
    const { orgId, readerId } = arrival.login;
    const { topic, payload, isWill } = published;
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
    core.readers.noteNotUnderstood(readerId, () => recognizeFormat(arrival.input));
    return { ...understood, payload };
  }

  /**
   * Parses a message. If the format throws, the message is rejected as malformed, since its reader would otherwise repeat
   * it forever.
   */
  function understand({ login, input }: Arrival): Understanding | Promise<Understanding> {
    const { format } = login;
    if (format === 'mapped') return mappings.judge(login, input);
    try {
      return formats[format](input);
    } catch (error) {
      log.error({ err: error, format }, 'a format failed on a message');
      return { kind: 'rejected', reason: `the format ${format} failed on it` };
    }
  }

  return { receive, stop: () => mappings.stop() };
}

function allowed(content: MessageContent): Verdict {
  return { content, isForbidden: false };
}

function forbidden({ isWill, payload }: Published): Verdict {
  const what = isWill ? 'its last will to this topic' : 'to this topic';
  return { content: { kind: 'rejected', reason: `the reader may not publish ${what}`, payload }, isForbidden: true };
}

function bytesOf(content: MessageContent): number {
  if (content.kind === 'reads') return content.reads.length * readBytes + (content.loss?.payload.length ?? 0);
  return content.kind === 'rejected' ? content.payload.length : 0;
}
