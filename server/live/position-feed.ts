import type { OpenCount } from '../alerts/open-count.js';
import type { ItemQueue } from './item-queue.js';
import type { LiveItem, LivePosition } from './items.js';

/** Assets that may wait to be read; more are not worth reading one by one. */
const pendingMax = 5000;
/** Assets read and told at once. */
export const positionsPerItemMax = 500;
/** A flood of changes makes its subscribers ask for everything again this often at most. */
const resyncEveryMs = 5000;
/** Where nothing changes, the mark moves on this often, so that it is still known to whoever comes back with it. */
const markEveryMs = 30_000;

export type FeedOptions = {
  /** Where the assets are now. */
  read: (assetIds: readonly number[]) => Promise<LivePosition[]>;
  /** How many alerts are open now. */
  countAlerts: () => Promise<OpenCount>;
  /** The mark heard last, before which everything has been announced here; undefined while nothing is heard. */
  latestMark: () => string | undefined;
  /** The mark to begin with. */
  mark: string;
  /** Hears of reads that failed; what they were for is then told by a `resync`. */
  onFailure: (error: unknown) => void;
  /** A clock that never runs backwards, in milliseconds. */
  elapsedMs: () => number;
};

/** What the subscribers of one organization are told, the same to all of them. */
export type PositionFeed = {
  readonly subscribers: Set<ItemQueue>;
  /** The positions of these assets changed; they are told at the next `flush`. */
  announce(assetIds: readonly number[]): void;
  /** Alerts were opened, acknowledged or ended; how many are open is sent at the next `flush`. */
  announceAlerts(): void;
  /** Reads what was announced in one statement and tells it. To be called by one at a time; never fails. */
  flush(): Promise<void>;
  /** Whether something waits for another `flush`. */
  isDue(): boolean;
  /** Whatever was missed, subscribers ask for it now. */
  resync(): void;
  /** To be called now and then: tells subscribers of a quiet organization a fresh mark. */
  keepFresh(): void;
};

export function createPositionFeed(options: FeedOptions): PositionFeed {
  const { read, countAlerts, latestMark, onFailure, elapsedMs } = options;
  const subscribers = new Set<ItemQueue>();
  const pending = new Set<number>();
  /** Everything announced before it has been told. */
  let { mark } = options;
  let toldAtMs = elapsedMs();
  let resyncedAtMs = Number.NEGATIVE_INFINITY;
  /** More was announced than could be read: what is missing is not known any more. */
  let isLost = false;
  let isReading = false;
  let areAlertsDue = false;

  function tell(item: LiveItem): void {
    toldAtMs = elapsedMs();
    for (const subscriber of subscribers) subscriber.push({ mark, item });
  }

  function loseTrack(): void {
    isLost = true;
    pending.clear();
  }

  function resync(): void {
    pending.clear();
    areAlertsDue = false;
    isLost = false;
    resyncedAtMs = elapsedMs();
    mark = latestMark() ?? mark;
    tell({ kind: 'resync' });
  }

  function takePending(): number[] {
    const taken: number[] = [];
    for (const id of pending) {
      if (taken.length === positionsPerItemMax) break;
      taken.push(id);
    }
    for (const id of taken) pending.delete(id);
    return taken;
  }

  async function readAndTell(): Promise<void> {
    const assetIds = takePending();
    const before = mark;
    // What stays behind was announced before the latest mark too, so that mark cannot be given out yet.
    const reached = pending.size === 0 ? (latestMark() ?? before) : before;
    isReading = true;
    try {
      const positions = await read(assetIds);
      // Unless a resync has gone further meanwhile.
      if (mark === before) mark = reached;
      if (positions.length > 0) tell({ kind: 'positions', positions });
    } catch (error) {
      onFailure(error);
      loseTrack();
    } finally {
      isReading = false;
    }
  }

  /** The client asks for alerts again whenever it reconnects, so this item needs no mark of its own. */
  async function countAndTell(): Promise<void> {
    areAlertsDue = false;
    try {
      const open = await countAlerts();
      tell({ kind: 'alerts', open });
    } catch (error) {
      onFailure(error);
      loseTrack();
    }
  }

  return {
    subscribers,
    announce(assetIds) {
      if (isLost) return;
      for (const id of assetIds) pending.add(id);
      if (pending.size > pendingMax) loseTrack();
    },
    announceAlerts() {
      areAlertsDue = !isLost;
    },
    async flush() {
      if (areAlertsDue) await countAndTell();
      if (pending.size > 0) await readAndTell();
      else if (isLost && elapsedMs() - resyncedAtMs >= resyncEveryMs) resync();
    },
    isDue: () => isLost || areAlertsDue || pending.size > 0,
    resync,
    keepFresh() {
      if (isReading || isLost || pending.size > 0 || elapsedMs() - toldAtMs < markEveryMs) return;
      mark = latestMark() ?? mark;
      tell({ kind: 'positions', positions: [] });
    },
  };
}
