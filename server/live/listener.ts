import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ulid } from 'ulid';
import { backoffMs } from '../backoff.js';
import type { Log } from '../log.js';
import { alertsChannel, marksChannel, positionsChannel } from './notices.js';

export type ListenerTiming = {
  /** A mark is sent where none was heard for so long, and has to come back. */
  markEveryMs: number;
  /** A connection on which no mark was heard for so long is dead, whatever TCP says. */
  silenceMaxMs: number;
  /** Between attempts to connect, growing from the one to the other. */
  retryMinMs: number;
  retryMaxMs: number;
};

const usualTiming: ListenerTiming = { markEveryMs: 2000, silenceMaxMs: 6000, retryMinMs: 100, retryMaxMs: 5000 };

export type ListenerOptions = {
  url: string;
  log: Log;
  /** A mark. The first one after a start, and after each loss, says that everything from here on is heard. */
  onMark: (mark: string) => void;
  /** What was announced on the channel of positions. */
  onAnnouncement: (payload: string) => void;
  /** What was announced on the channel of alerts. */
  onAlerts: (payload: string) => void;
  /** What is announced from now on is missed, until the next mark. */
  onLost: () => void;
  timing?: ListenerTiming;
};

export type Listener = {
  /** Listens from now on, and again after every loss, until it is closed. Does nothing where it is open. */
  open(): void;
  /** Ends the connection at once. */
  close(): void;
};

/**
 * One connection to the database that hears what all processes announce. Its marks are notices like any other, made on the
 * connection that is to hear them: one that comes back has been through everything that could break.
 */
export function createListener(options: ListenerOptions): Listener {
  const { url, log, onMark, onAnnouncement, onAlerts, onLost, timing = usualTiming } = options;
  let closing: AbortController | undefined;

  async function keepListening(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const { error, wasHeard } = await listen(signal);
      if (signal.aborted) return;
      onLost();
      failures = wasHeard ? 1 : failures + 1;
      log.warn({ err: error, failures }, 'live positions are not heard: the connection to the database broke');
      const pauseMs = backoffMs(failures, { minMs: timing.retryMinMs, maxMs: timing.retryMaxMs });
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** One connection from its beginning to its end; tells why it ended, and whether a mark was heard on it. */
  function listen(signal: AbortSignal): Promise<{ error: unknown; wasHeard: boolean }> {
    return new Promise((resolve) => {
      // A socket of our own can be destroyed, where the client's own end would wait for an answer that never comes.
      const socket = new Socket();
      const client = new pg.Client({
        connectionString: url,
        application_name: 'whereabouts live',
        stream: () => socket,
      });
      let heardAtMs = performance.now();
      let wasHeard = false;
      let isSending = false;
      const timer = setInterval(keepAlive, timing.markEveryMs).unref();

      function end(error: unknown): void {
        clearInterval(timer);
        signal.removeEventListener('abort', end);
        client.removeAllListeners('notification');
        socket.destroy();
        resolve({ error, wasHeard });
      }

      function keepAlive(): void {
        const silentMs = performance.now() - heardAtMs;
        if (silentMs > timing.silenceMaxMs) end(new Error(`no mark was heard for ${Math.round(silentMs)} ms`));
        // Where other processes send theirs, one of them is enough.
        else if (wasHeard && !isSending && silentMs > timing.markEveryMs / 2) sendMark().catch(end);
      }

      async function sendMark(): Promise<void> {
        isSending = true;
        await client.query('SELECT pg_notify($1, $2)', [marksChannel, ulid()]);
        isSending = false;
      }

      async function begin(): Promise<void> {
        await client.connect();
        // A mark has nothing to keep: it need not wait for the disk.
        await client.query(
          `SET synchronous_commit = off; LISTEN ${positionsChannel}; LISTEN ${alertsChannel}; LISTEN ${marksChannel}`,
        );
        await sendMark();
      }

      signal.addEventListener('abort', end);
      client.on('error', end);
      client.on('end', () => end(new Error('the connection ended')));
      client.on('notification', ({ channel, payload = '' }) => {
        if (channel === positionsChannel) return onAnnouncement(payload);
        if (channel === alertsChannel) return onAlerts(payload);
        heardAtMs = performance.now();
        wasHeard = true;
        onMark(payload);
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
