import type { Api } from '../api/trpc.js';
import { joinTabs, type Tabs } from './tabs.js';

type Handlers = NonNullable<Parameters<Api['scans']['live']['subscribe']>[1]>;
/** An item of the stream with its cursor. */
type LiveMessage = Parameters<NonNullable<Handlers['onData']>>[0];

/** The new position of an asset, as the service reports it when it changes. */
export type LivePosition = Extract<LiveMessage['data'], { kind: 'positions' }>['positions'][number];

/** An asset whose container or contents have changed, with what it is in now. */
export type LiveContainment = NonNullable<Extract<LiveMessage['data'], { kind: 'positions' }>['contained']>[number];

/** Whether the data are current, and if not, since when. */
export type LiveStatus = { state: 'live' } | { state: 'connecting' } | { state: 'lost'; sinceMs: number };

/** How many alerts are open. */
export type OpenCount = Extract<LiveMessage['data'], { kind: 'alerts' }>['open'];

export type LiveListener = {
  /**
   * Positions that changed, at most once a frame, each asset once. `moved` are the positions of assets that came to
   * another location; the other assets were seen again at their location.
   */
  onPositions?: (positions: readonly LivePosition[], moved: readonly LivePosition[]) => void;
  /** Assets were put into containers, or have left them. Containers are among the assets. */
  onContained?: (contained: readonly LiveContainment[]) => void;
  /** Alerts were opened, acknowledged or ended. Null after a lost connection: how many are open now is not known. */
  onAlerts?: (open: OpenCount | null) => void;
  /** Data loaded earlier may be outdated: more has changed than was sent. */
  onResync?: () => void;
};

export type LiveHub = {
  listen(listener: LiveListener): () => void;
  status(): LiveStatus;
  /** Called when the status changes. */
  subscribe(listener: () => void): () => void;
  /** Receives changes while the page is visible, until the returned function is called. It can be started again. */
  start(): () => void;
};

/** A lost connection is shown only after this time, since most are restored by then. */
const calmMs = 2000;
/** Delays between attempts, growing from the first to the second, with jitter so that browsers do not reconnect together. */
const retryMinMs = 400;
const retryMaxMs = 15_000;
/** A connection without a first item by then is closed. */
const openingMaxMs = 10_000;
/** A stream stays open this long after another tab has one, for the items that are on their way. */
const overlapMs = 1000;

/**
 * Receives the service's changes of positions, and ensures that none is missed. A browser has six connections for all
 * its tabs, so the tab that was shown last receives the stream and passes it on to other visible tabs. A hidden tab
 * receives nothing, and catches up when it is shown.
 *
 * @param owner - the person and organization that are signed in
 */
export function createLiveHub(api: Api, owner: string): LiveHub {
  const listeners = new Set<LiveListener>();
  const statusListeners = new Set<() => void>();
  const gathered = createGatherer((positions, moved) => {
    for (const { onPositions } of listeners) onPositions?.(positions, moved);
  });
  let status: LiveStatus = { state: 'connecting' };
  let lastEventId: string | undefined;
  let failures = 0;
  let lostAtMs = 0;
  let tabs: Tabs<LiveMessage> | undefined;
  let close: (() => void) | undefined;
  const timers: Record<'retry' | 'calm' | 'opening' | 'overlap', ReturnType<typeof setTimeout> | undefined> = {
    retry: undefined,
    calm: undefined,
    opening: undefined,
    overlap: undefined,
  };

  function become(next: LiveStatus): void {
    if (next.state === status.state) return;
    status = next;
    for (const listener of statusListeners) listener();
  }

  function beLost(): void {
    if (status.state === 'live') become({ state: 'connecting' });
    if (timers.calm !== undefined || status.state === 'lost') return;
    lostAtMs = Date.now();
    timers.calm = setTimeout(() => {
      timers.calm = undefined;
      become({ state: 'lost', sinceMs: lostAtMs });
    }, calmMs);
  }

  function beLive(): void {
    clearTimeout(timers.calm);
    timers.calm = undefined;
    failures = 0;
    become({ state: 'live' });
  }

  function receive({ id, data }: LiveMessage, isFirst: boolean): void {
    beLive();
    lastEventId = id;
    // The service sends missed positions again, but not missed alerts.
    if (isFirst || data.kind === 'alerts') {
      for (const { onAlerts } of listeners) onAlerts?.(data.kind === 'alerts' ? data.open : null);
    }
    if (data.kind === 'positions') {
      gathered.add(data.positions);
      const { contained } = data;
      if (contained) for (const { onContained } of listeners) onContained?.(contained);
    } else if (data.kind !== 'alerts') for (const { onResync } of listeners) onResync?.();
  }

  function open(): void {
    clearTimeout(timers.retry);
    timers.retry = undefined;
    let isOver = false;
    let isFirst = true;
    const fail = () => {
      if (isOver) return;
      end();
      if (tabs?.isFollowing()) return;
      tabs?.leave();
      beLost();
      const longestMs = Math.min(retryMaxMs, retryMinMs * 2 ** Math.min(failures, 10));
      failures += 1;
      timers.retry = setTimeout(open, longestMs * (0.5 + Math.random() / 2));
    };
    const subscription = api.scans.live.subscribe(lastEventId === undefined ? {} : { lastEventId }, {
      onData: (message) => {
        if (isOver) return;
        clearTimeout(timers.opening);
        // The first item is about what this tab has missed, so it is not passed on.
        if (isFirst) tabs?.lead();
        else tabs?.pass(message);
        receive(message, isFirst);
        isFirst = false;
      },
      onError: fail,
      onComplete: fail,
      // The link itself would reconnect after its own delay.
      onConnectionStateChange: ({ error }) => {
        if (error) fail();
      },
    });
    function end(): void {
      isOver = true;
      close = undefined;
      clearTimeout(timers.opening);
      clearTimeout(timers.overlap);
      subscription.unsubscribe();
    }
    close = end;
    timers.opening = setTimeout(fail, openingMaxMs);
  }

  function onLed(): void {
    timers.overlap = setTimeout(() => close?.(), overlapMs);
  }

  function onAlone(): void {
    clearTimeout(timers.overlap);
    if (close) tabs?.lead();
    else connect();
  }

  /** Connects at once: the page is visible, or the network is back. */
  function connect(): void {
    if (document.visibilityState !== 'visible') return;
    tabs ??= joinTabs({ owner, onLed, onItem: (message) => receive(message, false), onAlone });
    if (close || tabs.isFollowing()) return;
    failures = 0;
    beLost();
    open();
  }

  /** Without a network nothing arrives any more, although the connection does not end. */
  function onOffline(): void {
    if (status.state === 'lost' || document.visibilityState !== 'visible') return;
    clearTimeout(timers.calm);
    timers.calm = undefined;
    close?.();
    tabs?.leave();
    become({ state: 'lost', sinceMs: Date.now() });
    // The browser's information about the network can be wrong.
    clearTimeout(timers.retry);
    timers.retry = setTimeout(open, retryMaxMs);
  }

  function onVisibility(): void {
    if (document.visibilityState === 'visible') connect();
    else rest();
  }

  function rest(): void {
    clearTimeout(timers.retry);
    clearTimeout(timers.calm);
    timers.calm = undefined;
    close?.();
    tabs?.close();
    tabs = undefined;
    become({ state: 'connecting' });
  }

  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    status: () => status,
    subscribe(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    start() {
      connect();
      window.addEventListener('online', connect);
      window.addEventListener('offline', onOffline);
      window.addEventListener('pagehide', rest);
      window.addEventListener('pageshow', connect);
      document.addEventListener('visibilitychange', onVisibility);
      return () => {
        window.removeEventListener('online', connect);
        window.removeEventListener('offline', onOffline);
        window.removeEventListener('pagehide', rest);
        window.removeEventListener('pageshow', connect);
        document.removeEventListener('visibilitychange', onVisibility);
        gathered.clear();
        rest();
      };
    },
  };
}

/** For how many assets the arrival at their location is remembered. */
const rememberedMax = 20_000;
/** An asset that arrived this shortly before its last sighting has just arrived. */
const justCameMs = 10_000;

type Report = (positions: readonly LivePosition[], moved: readonly LivePosition[]) => void;

/** Delivers all changes within a frame together, and distinguishes moves from sightings. */
function createGatherer(report: Report) {
  const waiting = new Map<number, LivePosition>();
  const known = new Map<number, string>();
  /** The latest reported sighting, by the clocks of the readers, which differ from the clock of this machine. */
  let horizon: string | undefined;
  let isDue = false;

  function hasMoved({ asset_id: id, located_since: since, asset_last_seen: seen }: LivePosition): boolean {
    const before = known.get(id);
    if (before !== undefined) return since > before;
    if (horizon !== undefined && since > horizon) return true;
    return Date.parse(seen) - Date.parse(since) < justCameMs;
  }

  function handOn(): void {
    isDue = false;
    if (waiting.size === 0) return;
    const positions = [...waiting.values()];
    waiting.clear();
    const moved = positions.filter(hasMoved);
    for (const position of positions) {
      known.delete(position.asset_id);
      known.set(position.asset_id, position.located_since);
      if (horizon === undefined || position.asset_last_seen > horizon) horizon = position.asset_last_seen;
    }
    for (const id of known.keys()) {
      if (known.size <= rememberedMax) break;
      known.delete(id);
    }
    report(positions, moved);
  }

  return {
    add(positions: readonly LivePosition[]): void {
      for (const position of positions) {
        const before = waiting.get(position.asset_id);
        if (!before || before.asset_last_seen <= position.asset_last_seen) waiting.set(position.asset_id, position);
      }
      if (isDue) return;
      isDue = true;
      // A page in the background has no frames.
      if (document.visibilityState === 'visible') requestAnimationFrame(handOn);
      else setTimeout(handOn, 1000);
    },
    clear(): void {
      waiting.clear();
    },
  };
}
