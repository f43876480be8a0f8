import { areScansHeld, areScansSentAutomatically, autoSendMs, holdReopened } from './auto-send.js';
import type { Batch, BatchAudit, BatchRead, ScanLocation, SubmitResult } from './batch.js';
import {
  type Added,
  addRead,
  addWaiting,
  batchesOf,
  changeBatch,
  clearOpen,
  closeOpen,
  moveOpen,
  openAt,
  removeRead,
  reopen,
} from './batches.js';
import { sendWaiting } from './sender.js';
import { openScanStore, recentLocations, type RecentLocation, rememberLocation, type ScanStore } from './store.js';

export type QueueSnapshot = {
  /** `unavailable` if the browser stores nothing, so that no scan can wait. */
  status: 'loading' | 'ready' | 'unavailable';
  /** The batch that is being scanned; undefined until a location is chosen. */
  open: Batch | undefined;
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
  openAt(location: ScanLocation): Promise<boolean>;
  /** Moves the open batch to another location. */
  moveTo(location: ScanLocation): Promise<void>;
  add(read: BatchRead): Promise<Added>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
  /** Sends the scans, now or when possible, and continues, at `next` if given. */
  close(next?: ScanLocation): Promise<void>;
  /** Sends a batch that was collected on another page; returns the submission's id. */
  enqueue(batch: { place: ScanLocation; reads: readonly BatchRead[]; audit?: BatchAudit }): Promise<string>;
  reopen(id: string): Promise<boolean>;
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
      open: all.find(({ state }) => state === 'open'),
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

  async function close(next?: ScanLocation): Promise<void> {
    await work(async (mine) => {
      if (next) await rememberLocation(mine.store, owner, next);
      await closeOpen(mine, next);
    });
    send();
  }

  function sendWhenSeen(): void {
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
    add: (read) => work((mine) => addRead(mine, read)),
    remove: (key) => work((mine) => removeRead(mine, key)),
    clear: () => work(clearOpen),
    close,
    async enqueue(batch) {
      const id = await work((mine) => addWaiting(mine, batch));
      send();
      return id;
    },
    reopen(id) {
      holdReopened();
      return work((mine) => reopen(mine, id));
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
      });
      window.addEventListener('online', send);
      document.addEventListener('visibilitychange', sendWhenSeen);
      look().then(send, () => show({ status: 'unavailable' }));
      return stop;
    },
  };

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
    clearTimeout(autoTimer);
    window.removeEventListener('online', send);
    document.removeEventListener('visibilitychange', sendWhenSeen);
    channel?.close();
    channel = undefined;
    void opening?.then((store) => store.close()).catch(() => {});
    opening = undefined;
  }
}
