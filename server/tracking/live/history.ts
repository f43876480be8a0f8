import { type Announcement, changedIn, type ChangedAssets } from './notices.js';

export type HistoryBounds = { announcementsMax: number; charactersMax: number; cursorsMax: number };

const usualBounds: HistoryBounds = { announcementsMax: 20_000, charactersMax: 8 * 1024 * 1024, cursorsMax: 5000 };

/** Recent announcements of all organizations, in the order in which every process receives them. */
export type History = {
  addAnnouncement(announcement: Announcement): void;
  addCursor(cursor: string): void;
  /** Returns the latest cursor received, if any. */
  latestCursor(): string | undefined;
  /**
   * Returns the assets of an organization announced since a cursor, each once. Returns undefined if the cursor was not
   * received here or is too old, or if there are more than `idsMax` assets.
   */
  since(cursor: string, options: { orgId: number; idsMax: number }): ChangedAssets | undefined;
  /** Forgets everything, since a gap makes older cursors useless. */
  clear(): void;
};

export function createHistory(bounds: HistoryBounds = usualBounds): History {
  let announcements: Announcement[] = [];
  /** How many announcements were received before the first one kept. */
  let dropped = 0;
  let characters = 0;
  let latest: string | undefined;
  /** How many announcements had been received at each cursor, oldest first. */
  const cursors = new Map<string, number>();

  /** Drops a quarter at a time, since removing the first entry moves all the others. */
  function makeRoom(): void {
    if (announcements.length <= bounds.announcementsMax && characters <= bounds.charactersMax) return;
    const gone = announcements.splice(0, Math.ceil(announcements.length / 4));
    dropped += gone.length;
    for (const { assetIds } of gone) characters -= assetIds.length;
    for (const [cursor, receivedCount] of cursors) {
      if (receivedCount >= dropped) break;
      cursors.delete(cursor);
    }
  }

  return {
    addAnnouncement(announcement) {
      announcements.push(announcement);
      characters += announcement.assetIds.length;
      makeRoom();
    },
    addCursor(cursor) {
      latest = cursor;
      cursors.delete(cursor);
      cursors.set(cursor, dropped + announcements.length);
      if (cursors.size <= bounds.cursorsMax) return;
      for (const oldest of cursors.keys()) {
        cursors.delete(oldest);
        return;
      }
    },
    latestCursor: () => latest,
    since(cursor, { orgId, idsMax }) {
      const receivedCount = cursors.get(cursor);
      if (receivedCount === undefined) return undefined;
      const moved = new Set<number>();
      const contained = new Set<number>();
      for (let at = receivedCount - dropped; at < announcements.length; at += 1) {
        const announcement = announcements[at];
        if (announcement?.orgId !== orgId) continue;
        const changed = changedIn(announcement);
        for (const id of changed.moved) moved.add(id);
        for (const id of changed.contained) contained.add(id);
        if (moved.size + contained.size > idsMax) return undefined;
      }
      return { moved: [...moved], contained: [...contained] };
    },
    clear() {
      announcements = [];
      characters = 0;
      dropped = 0;
      latest = undefined;
      cursors.clear();
    },
  };
}
