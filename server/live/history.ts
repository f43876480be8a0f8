import { type Announcement, assetIdsOf } from './notices.js';

export type HistoryBounds = { announcementsMax: number; charactersMax: number; marksMax: number };

const usualBounds: HistoryBounds = { announcementsMax: 20_000, charactersMax: 8 * 1024 * 1024, marksMax: 5000 };

/** What was heard lately, of all organizations, in the order that all processes hear. */
export type History = {
  addAnnouncement(announcement: Announcement): void;
  addMark(mark: string): void;
  /** The mark heard last, if any. */
  latestMark(): string | undefined;
  /**
   * The assets of an organization announced since a mark, each once. Undefined where that cannot be told: the mark was
   * not heard here or too long ago, or they are more than `idsMax`.
   */
  since(mark: string, options: { orgId: number; idsMax: number }): number[] | undefined;
  /** Nothing can be told across a gap. */
  clear(): void;
};

export function createHistory(bounds: HistoryBounds = usualBounds): History {
  let announcements: Announcement[] = [];
  /** How many were heard before the first of those that are kept. */
  let dropped = 0;
  let characters = 0;
  let latest: string | undefined;
  /** How many announcements had been heard at each mark, in the order of hearing. */
  const marks = new Map<string, number>();

  /** Drops a quarter at a time, since taking away the first moves all the others. */
  function makeRoom(): void {
    if (announcements.length <= bounds.announcementsMax && characters <= bounds.charactersMax) return;
    const gone = announcements.splice(0, Math.ceil(announcements.length / 4));
    dropped += gone.length;
    for (const { assetIds } of gone) characters -= assetIds.length;
    for (const [mark, heard] of marks) {
      if (heard >= dropped) break;
      marks.delete(mark);
    }
  }

  return {
    addAnnouncement(announcement) {
      announcements.push(announcement);
      characters += announcement.assetIds.length;
      makeRoom();
    },
    addMark(mark) {
      latest = mark;
      marks.delete(mark);
      marks.set(mark, dropped + announcements.length);
      if (marks.size <= bounds.marksMax) return;
      for (const oldest of marks.keys()) {
        marks.delete(oldest);
        return;
      }
    },
    latestMark: () => latest,
    since(mark, { orgId, idsMax }) {
      const heard = marks.get(mark);
      if (heard === undefined) return undefined;
      const assetIds = new Set<number>();
      for (let at = heard - dropped; at < announcements.length; at += 1) {
        const announcement = announcements[at];
        if (announcement?.orgId !== orgId) continue;
        for (const id of assetIdsOf(announcement)) assetIds.add(id);
        if (assetIds.size > idsMax) return undefined;
      }
      return [...assetIds];
    },
    clear() {
      announcements = [];
      characters = 0;
      dropped = 0;
      latest = undefined;
      marks.clear();
    },
  };
}
