import { areScansHeld, areScansSentAutomatically, autoSendMs, holdReopened } from './auto-send.js';
import type { Batch, BatchAudit, BatchRead, ScanBatch, ScanPlace, SubmitResult } from './batch.js';
import {
  type Added,
  addRead,
  addReport,
  addWaiting,
  batchesOf,
  changeBatch,
  clearOpen,
  closeOpen,
  confirmOpen,
  moveOpen,
  type NewReport,
  openAt,
  openOf,
  removeRead,
  reopen,
  settleOpen,
} from './batches.js';
import { notePresence } from './presence.js';
import { sendWaiting } from './sender.js';
import { openScanStore, recentLocations, type RecentLocation, rememberLocation, type ScanStore } from './store.js';

export type QueueSnapshot = {
  /** `unavailable` if the browser stores nothing, so that no scan can wait. */
  status: 'loading' | 'ready' | 'unavailable';
  /** The batch that is being scanned; undefined until a location is chosen. */
  open: ScanBatch | undefined;
  /** Oldest first. */
  waiting: readonly Batch[];
  refused: readonly Batch[];
  /** Latest first. */
  sent: readonly Batch[];
  isSending: boolean;
  recentLocations: readonly RecentLocation[];
};

export type ScanQueue = {
  snapshot(): QueueSnapshot;
  subscribe(listener: () => void): () => void;
  openAt(location: ScanPlace): Promise<boolean>;
  /** Moves the open batch to another location. */
  moveTo(location: ScanPlace): Promise<void>;
  /** Notes that the person is still at the location of the open batch. */
  confirm(): Promise<void>;
  /** Notes what an unknown value of the open batch names: a location, or anything else. */
  settle(value: string, location: ScanPlace | undefined): Promise<void>;
  add(read: BatchRead): Promise<Added>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
  /** Sends the scans, now or when possible, and continues, at `next` if given. */
  close(next?: ScanPlace): Promise<void>;
  /** Sends a batch that was collected on another page; returns the submission's id. */
  enqueue(batch: { place: ScanPlace; reads: readonly BatchRead[]; audit?: BatchAudit }): Promise<string>;
  /** Reports a problem of an asset, now or when possible. */
  report(problem: NewReport): Promise<void>;
  reopen(id: string): Promise<boolean>;
  /** Notes that a result of a sent batch was undone. */
  noteUndone(id: string, index: number): Promise<void>;
  retry(id: string): Promise<void>;
  discard(id: string): Promise<void>;
  /** Sends the waiting batches. */
  send(): void;
  /** Starts to listen and to send, until the returned function is called. */
  start(): () => void;
};

export type ScanQueueOptions = {
  owner: string;
  submit: (batch: Batch) => Promise<SubmitResult[]>;
  isOwner: () => boolean;
};

const retryFirstMs = 1000;
const retryMaxMs = 60_000;
const channelName = 'whereabouts-scanning';

/** The message that asks the queues of an owner to send. */
const sendMessageOf = (owner: string) => `${owner} send`;

const nothing: QueueSnapshot = {
  status: 'loading',
  open: undefined,
  waiting: [],
  refused: [],
  sent: [],
  isSending: false,
  recentLocations: [],
};

/**
 * Returns the queue of the scans of one person for one organization on this device. Scans are stored at once, and sent
 * when the service can be reached. All tabs share the queue.
 */
export function createScanQueue({ owner, submit, isOwner }: ScanQueueOptions): ScanQueue {
  let snapshot = nothing;
  let isStopped = true;
  let sending: Promise<void> | undefined;
  let isAskedAgain = false;
  let failedTimes = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let autoTimer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  let channel: BroadcastChannel | undefined;
  let opening: Promise<ScanStore> | undefined;

  function opened(): Promise<ScanStore> {
    opening ??= openScanStore();
    return opening;
  }

  function show(change: Partial<QueueSnapshot>): void {
    snapshot = { ...snapshot, ...change };
    for (const listener of listeners) listener();
  }

  async function look(): Promise<void> {
    const store = await opened();
    const [all, locations] = await Promise.all([batchesOf(store, owner), recentLocations(store, owner)]);
    if (isStopped) return;
    show({
      status: 'ready',
      open: openOf(all),
      waiting: all.filter(({ state }) => state === 'waiting'),
      refused: all.filter(({ state }) => state === 'refused'),
      sent: all.filter(({ state }) => state === 'sent').reverse(),
      recentLocations: locations,
    });
    sendOpenSoon();
  }

  /** Sends the open batch once nothing has been added for some seconds. */
  function sendOpenSoon(): void {
    clearTimeout(autoTimer);
    const { open } = snapshot;
    if (!open || open.reads.length === 0 || isStopped) return;
    const sinceMs = Date.now() - Date.parse(open.observedAt);
    const isDue = sinceMs >= autoSendMs || sinceMs < 0;
    if (isDue && areScansSentAutomatically() && !areScansHeld()) close().catch(() => {});
    else autoTimer = setTimeout(sendOpenSoon, isDue ? autoSendMs : autoSendMs - sinceMs);
  }

  async function changed(): Promise<void> {
    channel?.postMessage(owner);
    await look();
  }

  /** Runs a task on the batches, and shows the result here and in the other tabs. */
  async function work<Result>(task: (mine: { store: ScanStore; owner: string }) => Promise<Result>): Promise<Result> {
    const result = await task({ store: await opened(), owner });
    await changed();
    return result;
  }

  async function sendOnce(): Promise<void> {
    const store = await opened();
    show({ isSending: true });
    const outcome = await sendWaiting({ store, owner, submit, isOwner, onChange: () => void changed() });
    failedTimes = outcome === 'done' ? 0 : failedTimes + 1;
    if (outcome === 'later' && !isStopped) {
      timer = setTimeout(send, Math.min(retryMaxMs, retryFirstMs * 2 ** (failedTimes - 1)));
    }
  }

  function send(): void {
    clearTimeout(timer);
    // Without a network, the browser reports when there is one again.
    if (isStopped || !navigator.onLine || !isOwner()) return;
    if (sending) {
      isAskedAgain = true;
      return;
    }
    sending = sendOnce()
      .catch(() => {})
      .finally(() => {
        sending = undefined;
        show({ isSending: false });
        if (isAskedAgain) {
          isAskedAgain = false;
          send();
        }
      });
  }

  async function close(next?: ScanPlace): Promise<void> {
    await work(async (mine) => {
      if (next) await rememberLocation(mine.store, owner, next);
      await closeOpen(mine, next);
    });
    send();
  }

  function noteVisibility(): void {
    notePresence();
    if (!document.hidden) send();
  }

  return {
    snapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    openAt: (location) =>
      work(async (mine) => {
        await rememberLocation(mine.store, owner, location);
        return openAt(mine, location);
      }),
    moveTo: (location) => work((mine) => moveOpen(mine, location)),
    confirm: () => work(confirmOpen),
    async settle(value, location) {
      await work(async (mine) => {
        if (location) await rememberLocation(mine.store, owner, location);
        await settleOpen(mine, value, location);
      });
      send();
    },
    add: (read) => work((mine) => addRead(mine, read)),
    remove: (key) => work((mine) => removeRead(mine, key)),
    clear: () => work(clearOpen),
    close,
    async enqueue(batch) {
      const id = await work((mine) => addWaiting(mine, batch));
      send();
      return id;
    },
    async report(problem) {
      await work((mine) => addReport(mine, problem));
      // This queue may stop before the problem is sent.
      channel?.postMessage(sendMessageOf(owner));
      send();
    },
    reopen(id) {
      holdReopened();
      return work((mine) => reopen(mine, id));
    },
    async noteUndone(id, index) {
      await work(({ store }) =>
        changeBatch(store, id, (batch) =>
          batch.state === 'sent' ? { ...batch, undone: [...(batch.undone ?? []), index] } : undefined,
        ),
      );
    },
    async retry(id) {
      await work(({ store }) =>
        changeBatch(store, id, (batch) =>
          batch.state === 'refused' ? { ...batch, state: 'waiting', failures: 0 } : undefined,
        ),
      );
      send();
    },
    async discard(id) {
      await work(({ store }) => changeBatch(store, id, () => null));
    },
    send,
    start() {
      isStopped = false;
      channel = new BroadcastChannel(channelName);
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (data === owner) void look();
        if (data === sendMessageOf(owner)) send();
      });
      window.addEventListener('online', send);
      notePresence();
      document.addEventListener('visibilitychange', noteVisibility);
      look().then(send, () => show({ status: 'unavailable' }));
      return stop;
    },
  };

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
    clearTimeout(autoTimer);
    window.removeEventListener('online', send);
    document.removeEventListener('visibilitychange', noteVisibility);
    channel?.close();
    channel = undefined;
    void opening?.then((store) => store.close()).catch(() => {});
    opening = undefined;
  }
}
