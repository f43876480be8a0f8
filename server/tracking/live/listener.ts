import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ulid } from 'ulid';
import { backoffMs } from '../../kernel/backoff.js';
import type { Log } from '../../kernel/log.js';
import { alertsChannel, marksChannel, positionsChannel } from './notices.js';

export type ListenerTiming = {
  /** A listener that has received no cursor for this long sends a cursor itself, and has to receive it back. */
  cursorEveryMs: number;
  /** A connection that has received no cursor for this long is dead, even if TCP reports no error. */
  silenceMaxMs: number;
  /** The delay between attempts to connect grows from the minimum to the maximum. */
  retryMinMs: number;
  retryMaxMs: number;
};

const usualTiming: ListenerTiming = { cursorEveryMs: 2000, silenceMaxMs: 6000, retryMinMs: 100, retryMaxMs: 5000 };

export type ListenerOptions = {
  url: string;
  log: Log;
  /** Receives a cursor. The first one after a start or a loss means that nothing is missed from here on. */
  onCursor: (cursor: string) => void;
  /** Receives a payload of the positions channel. */
  onAnnouncement: (payload: string) => void;
  /** Receives a payload of the alerts channel. */
  onAlerts: (payload: string) => void;
  /** Called when the connection is lost: announcements are missed until the next cursor. */
  onLost: () => void;
  timing?: ListenerTiming;
};

export type Listener = {
  /** Listens, and reconnects after every loss, until it is closed. Does nothing if it is open already. */
  open(): void;
  /** Closes the connection at once. */
  close(): void;
};

/**
 * Creates a database connection that receives what all processes announce. Its cursors are notices too, sent on the
 * connection that receives them, so a cursor that comes back proves that the whole path works.
 */
export function createListener(options: ListenerOptions): Listener {
  const { url, log, onCursor, onAnnouncement, onAlerts, onLost, timing = usualTiming } = options;
  let closing: AbortController | undefined;

  async function keepListening(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const { error, wasReceived } = await listen(signal);
      if (signal.aborted) return;
      onLost();
      failures = wasReceived ? 1 : failures + 1;
      log.warn({ err: error, failures }, 'the database connection for live positions was lost');
      const pauseMs = backoffMs(failures, { minMs: timing.retryMinMs, maxMs: timing.retryMaxMs });
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Runs one connection from start to end. Returns why it ended, and whether it received a cursor. */
  function listen(signal: AbortSignal): Promise<{ error: unknown; wasReceived: boolean }> {
    return new Promise((resolve) => {
      // The client's `end` would wait for an answer that may never come, so the connection uses a socket that can be
      // destroyed.
      const socket = new Socket();
      const client = new pg.Client({
        connectionString: url,
        application_name: 'whereabouts live',
        stream: () => socket,
      });
      let receivedAtMs = performance.now();
      let wasReceived = false;
      let isSending = false;
      const timer = setInterval(keepAlive, timing.cursorEveryMs).unref();

      function end(error: unknown): void {
        clearInterval(timer);
        signal.removeEventListener('abort', end);
        client.removeAllListeners('notification');
        socket.destroy();
        resolve({ error, wasReceived });
      }

      function keepAlive(): void {
        const silentMs = performance.now() - receivedAtMs;
        if (silentMs > timing.silenceMaxMs) end(new Error(`no cursor was received for ${Math.round(silentMs)} ms`));
        // Cursors of other processes count too: one sender is enough.
        else if (wasReceived && !isSending && silentMs > timing.cursorEveryMs / 2) sendCursor().catch(end);
      }

      async function sendCursor(): Promise<void> {
        isSending = true;
        await client.query('SELECT pg_notify($1, $2)', [marksChannel, ulid()]);
        isSending = false;
      }

      async function begin(): Promise<void> {
        await client.connect();
        // A cursor stores nothing, so its commit need not wait for the disk.
        await client.query(
          `SET synchronous_commit = off; LISTEN ${positionsChannel}; LISTEN ${alertsChannel}; LISTEN ${marksChannel}`,
        );
        await sendCursor();
      }

      signal.addEventListener('abort', end);
      client.on('error', end);
      client.on('end', () => end(new Error('the connection ended')));
      client.on('notification', ({ channel, payload = '' }) => {
        if (channel === positionsChannel) return onAnnouncement(payload);
        if (channel === alertsChannel) return onAlerts(payload);
        receivedAtMs = performance.now();
        wasReceived = true;
        onCursor(payload);
      });
      begin().catch(end);
    });
  }

  return {
    open() {
      if (closing) return;
      closing = new AbortController();
      void keepListening(closing.signal);
    },
    close() {
      closing?.abort();
      closing = undefined;
    },
  };
}
