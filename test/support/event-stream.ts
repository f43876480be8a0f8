import { request as httpRequest, type IncomingMessage } from 'node:http';

/** One server-sent event. */
export type StreamEvent = { event: string; data: any; id: string | undefined };

/** A connection that reads server-sent events as a browser's `EventSource` does, and never reconnects by itself. */
export type EventStream = Disposable & {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Returns the next event with content; undefined once the stream has ended. Pings are left out. */
  next(): Promise<StreamEvent | undefined>;
  /** The id of the last event, as a reconnect would send it. */
  lastEventId(): string | undefined;
  /** How the stream ended: by its own last event, or broken off. Waits for it. */
  ended(): Promise<'complete' | 'broken off'>;
  /** Stops reading bytes, and continues later. */
  pause(): void;
  resume(): void;
  close(): void;
};

export type StreamRequest = { token?: string; lastEventId?: string; headers?: Record<string, string> };

export async function openEventStream(url: string, options: StreamRequest = {}): Promise<EventStream> {
  const { token, lastEventId, headers: more = {} } = options;
  const headers = {
    Accept: 'text/event-stream',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    ...more,
  };
  const outgoing = httpRequest(url, { headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).on('error', reject).end();
  });
  const events: StreamEvent[] = [];
  let text = '';
  let lastId: string | undefined = lastEventId;
  let isOver = false;
  let wake = () => {};

  function take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const id = fields.get('id');
    if (id !== undefined) lastId = id;
    const event = fields.get('event') ?? 'message';
    const data = fields.get('data');
    if (event === 'ping' || event === 'restore-id' || data === undefined) return;
    events.push({ event, data: data === '' ? undefined : JSON.parse(data), id });
  }

  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) if (block.trim() !== '') take(block.trim());
    wake();
  });
  response.on('error', () => {});
  response.on('close', () => {
    isOver = true;
    wake();
  });

  async function until(done: () => boolean): Promise<void> {
    while (!done()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    async next() {
      await until(() => events.length > 0 || isOver);
      return events.shift();
    },
    lastEventId: () => lastId,
    async ended() {
      await until(() => isOver);
      return response.complete ? 'complete' : 'broken off';
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void outgoing.destroy(),
    [Symbol.dispose]() {
      outgoing.destroy();
    },
  };
}
