/** The moment at which a tab became the one that receives the stream. The latest claim wins. */
type Claim = { atMs: number; tab: number };

type Note<Item> = { claim: Claim } & ({ kind: 'lead' | 'leave' } | { kind: 'item'; item: Item });

/** The tab that receives the stream reports itself this often. */
const beatEveryMs = 4000;
/** A tab that has reported nothing for this long has crashed or hangs. */
const silentMaxMs = 10_000;

export type TabsOptions<Item> = {
  /** Person and organization. Tabs of others are not heard. */
  owner: string;
  /** Another tab receives the stream from now on, and passes its items on to this one. */
  onLed(): void;
  onItem(item: Item): void;
  /** The tab that this one followed has closed its stream, or reports nothing any more. */
  onAlone(): void;
};

/** The visible tabs of a browser that share one stream. */
export type Tabs<Item> = {
  /** Makes the other tabs follow this one. Called when this tab has received the first item of a stream of its own. */
  lead(): void;
  /** Passes an item on to the other tabs, if this one leads. */
  pass(item: Item): void;
  isFollowing(): boolean;
  /** Leads and follows no longer. The tabs that followed this one open their own streams. */
  leave(): void;
  /** Leaves, and receives nothing any more. */
  close(): void;
};

/**
 * Connects this tab to the other visible tabs of the browser. They use a BroadcastChannel, because Web Locks and service
 * workers are missing over plain HTTP, and shared workers on many phones. A tab follows only after it has received a
 * stream of its own, so it has missed nothing when it begins to follow.
 */
export function joinTabs<Item>({ owner, onLed, onItem, onAlone }: TabsOptions<Item>): Tabs<Item> {
  const channel = new BroadcastChannel(`whereabouts-live-${owner}`);
  const tab = Math.random();
  let own: Claim | undefined;
  let followed: Claim | undefined;
  let latestMs = 0;
  let beating: ReturnType<typeof setInterval> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const post = (note: Note<Item>) => channel.postMessage(note);

  function report(): void {
    if (own) post({ kind: 'lead', claim: own });
  }

  function follow(claim: Claim): void {
    followed = claim;
    clearTimeout(silence);
    silence = setTimeout(beAlone, silentMaxMs);
  }

  function beAlone(): void {
    reset();
    onAlone();
  }

  function reset(): void {
    own = undefined;
    followed = undefined;
    clearInterval(beating);
    clearTimeout(silence);
  }

  channel.addEventListener('message', ({ data: note }: MessageEvent<Note<Item>>) => {
    const { claim } = note;
    latestMs = Math.max(latestMs, claim.atMs);
    if (note.kind === 'leave') {
      if (followed?.tab === claim.tab) beAlone();
      return;
    }
    const before = own ?? followed;
    if (!before) return;
    if (isLater(before, claim)) {
      // Two tabs have begun at the same time, and the other one has not heard of this one.
      if (note.kind === 'lead') report();
      return;
    }
    const wasLeading = own !== undefined;
    if (wasLeading) reset();
    follow(claim);
    if (wasLeading) onLed();
    if (note.kind === 'item') onItem(note.item);
  });

  function leave(): void {
    if (own) post({ kind: 'leave', claim: own });
    reset();
  }

  return {
    lead() {
      reset();
      // Later than every claim heard, even if the clock was set back meanwhile.
      own = { atMs: Math.max(Date.now(), latestMs + 1), tab };
      report();
      beating = setInterval(report, beatEveryMs);
    },
    pass(item) {
      if (own) post({ kind: 'item', claim: own, item });
    },
    isFollowing: () => followed !== undefined,
    leave,
    close() {
      leave();
      channel.close();
    },
  };
}

function isLater(one: Claim, other: Claim): boolean {
  return one.atMs === other.atMs ? one.tab > other.tab : one.atMs > other.atMs;
}
