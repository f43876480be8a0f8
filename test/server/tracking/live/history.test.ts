import { describe, expect, it } from 'vitest';
import { createHistory } from '../../../../server/tracking/live/history.js';

const moved = (...ids: number[]) => ({ moved: ids, contained: [] });
const all = { orgId: 1, idsMax: 100 };

describe('the history of announcements', () => {
  it('returns each asset of an organization once that was announced since a cursor', () => {
    const history = createHistory();
    history.addAnnouncement({ orgId: 1, assetIds: '1,2' });
    history.addCursor('A');
    history.addAnnouncement({ orgId: 1, assetIds: '3,2' });
    history.addAnnouncement({ orgId: 2, assetIds: '9' });
    history.addCursor('B');
    history.addAnnouncement({ orgId: 1, assetIds: '3,c4' });
    expect(history.since('A', all)).toEqual({ moved: [3, 2], contained: [4] });
    expect(history.since('B', all)).toEqual({ moved: [3], contained: [4] });
    expect(history.latestCursor()).toBe('B');
    history.addCursor('C');
    expect(history.since('C', all)).toEqual(moved());
  });

  it('returns nothing for an unknown cursor, or for too many assets', () => {
    const history = createHistory();
    history.addCursor('A');
    history.addAnnouncement({ orgId: 1, assetIds: '1,2,3' });
    expect(history.since('Z', all)).toBeUndefined();
    expect(history.since('A', { orgId: 1, idsMax: 2 })).toBeUndefined();
    expect(history.since('A', { orgId: 1, idsMax: 3 })).toEqual(moved(1, 2, 3));
    history.clear();
    expect([history.since('A', all), history.latestCursor()]).toEqual([undefined, undefined]);
    history.addAnnouncement({ orgId: 1, assetIds: '4' });
    history.addCursor('B');
    history.addAnnouncement({ orgId: 1, assetIds: '5' });
    expect(history.since('B', all)).toEqual(moved(5));
  });

  it.each([
    ['announcements', { announcementsMax: 40, charactersMax: 1_000_000, cursorsMax: 1000 }],
    ['characters', { announcementsMax: 1000, charactersMax: 4 * 40, cursorsMax: 1000 }],
    ['cursors', { announcementsMax: 1000, charactersMax: 1_000_000, cursorsMax: 40 }],
  ])('keeps no more than its bound of %s, and never returns a part as the whole', (_, bounds) => {
    const history = createHistory(bounds);
    for (let n = 1; n <= 200; n += 1) {
      history.addCursor(`before ${n}`);
      history.addAnnouncement({ orgId: 1, assetIds: String(1000 + n) });
    }
    const known = Array.from({ length: 200 }, (__, index) =>
      history.since(`before ${index + 1}`, { ...all, idsMax: 1000 }),
    );
    const firstKnown = known.findIndex((ids) => ids !== undefined);
    expect(firstKnown).toBeGreaterThan(200 - 42);
    expect(firstKnown).toBeLessThan(200 - 25);
    for (const [index, ids] of known.entries()) {
      const missed = Array.from({ length: 200 - index }, (__, n) => 1001 + index + n);
      expect(ids).toEqual(index < firstKnown ? undefined : moved(...missed));
    }
  });
});
