import { afterEach, expect, it } from 'vitest';
import { createReceiver, ForbiddenTopicError, type Receiver } from '../../ingest-broker/receive.js';
import type { Core, ReaderLogin } from '../../server/index.js';
import { createLog } from '../../server/kernel/log.js';
import { createLoopTurns } from '../../server/kernel/loop-turns.js';
import { native } from '../support/mqtt.js';

const login = (readerId: number, more: Partial<ReaderLogin>): ReaderLogin =>
  ({
    orgId: 1,
    readerId,
    username: `r${readerId}`,
    format: 'native',
    mapping: null,
    publishTopics: ['site/reads'],
    ...more,
  }) as ReaderLogin;
const mapped = { format: 'mapped', mapping: { value: 'epc', time_unit: 'ms', tag_type: 'rfid' } } as const;

let receiver: Receiver | undefined;
afterEach(() => receiver?.stop());

/** A receiver that records in which order messages are passed on to be stored, and what is noted of their readers. */
function createRecorder() {
  const stored: string[] = [];
  const notes: object[] = [];
  const core = {
    loopTurns: createLoopTurns(),
    readers: {
      note: ({ kind, detail }: { kind: string; detail?: string }) => notes.push({ kind, detail }),
      noteNotUnderstood(_: number, recognize: () => string | undefined) {
        notes.push({ kind: 'not_understood', detail: recognize() });
      },
    },
    ingestion: {
      ingest: async ({ readerId, content }: Parameters<Core['ingestion']['ingest']>[0]) => {
        const what = content.kind === 'reads' ? content.reads.map(({ value }) => value).join(' ') : content.kind;
        stored.push(`${readerId} ${what}`);
      },
    },
  } as unknown as Core;
  receiver = createReceiver({ core, log: createLog('silent') });
  return { stored, notes, receiver };
}

const message = (payload: string | object, topic = 'site/reads') => ({
  topic,
  payload: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
  isWill: false,
});

it('the messages of a reader stay in order when only some of them wait for its mapping', async () => {
  const { stored, receiver } = createRecorder();
  const outcomes = Promise.allSettled([
    receiver.receive(login(1, mapped), message({ epc: 'E1' })),
    receiver.receive(login(1, mapped), message('x'.repeat(300_000))),
    receiver.receive(login(1, mapped), message({ epc: 'E2' }, 'elsewhere')),
    receiver.receive(login(1, {}), message(native('E3'))),
    receiver.receive(login(1, mapped), message({ epc: 'E4' })),
  ]);
  expect(stored).toEqual([]);
  const [, , forbidden] = await outcomes;
  expect(forbidden).toMatchObject({ status: 'rejected', reason: expect.any(ForbiddenTopicError) });
  expect(stored).toEqual(['1 E1', '1 rejected', '1 rejected', '1 E3', '1 E4']);
});

it('readers of other formats do not wait for mappings', async () => {
  const { stored, receiver } = createRecorder();
  const waiting = receiver.receive(login(1, mapped), message({ epc: 'E1' }));
  await receiver.receive(login(2, {}), message(native('E2')));
  expect(stored).toEqual(['2 E2']);
  await waiting;
  expect(stored).toEqual(['2 E2', '1 E1']);
});

it('notes times that are none and parts that a mapping does not find, and the format of messages that it does not understand', async () => {
  const { notes, receiver } = createRecorder();
  const mapping = { ...mapped.mapping, antenna: 'port' };
  await receiver.receive(login(1, { ...mapped, mapping }), message({ epc: 'E1', timestamp: '28/11/2026 9:4:0:111' }));
  await receiver.receive(login(1, mapped), message(native('E2801190A503006543E21224')));
  expect(notes).toEqual([
    { kind: 'time', detail: 'timestamp "28/11/2026 9:4:0:111"' },
    { kind: 'mapping', detail: 'antenna' },
    { kind: 'not_understood', detail: 'native' },
  ]);
});
