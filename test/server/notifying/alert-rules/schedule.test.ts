import { describe, expect, it } from 'vitest';
import { activeHours } from '../../../../server/notifying/alert-rules/schedule.js';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const at = (text: string) => Date.parse(text);

describe('activeHours', () => {
  it('is always active without a schedule', () => {
    expect(activeHours(null)(at('2026-01-01T00:00:00Z'))).toBe(true);
  });

  it('counts the local time of the zone, before and after a change of the clocks', () => {
    const isActive = activeHours({ time_zone: 'Europe/Berlin', days: everyDay, from: '08:00', to: '16:00' });
    // The Saturday before the clocks go forward, UTC+1, and the Sunday, UTC+2.
    expect(isActive(at('2026-03-28T06:59:59Z'))).toBe(false);
    expect(isActive(at('2026-03-28T07:00:00Z'))).toBe(true);
    expect(isActive(at('2026-03-29T06:00:00Z'))).toBe(true);
    expect(isActive(at('2026-03-29T05:59:59Z'))).toBe(false);
    expect(isActive(at('2026-03-29T13:59:59Z'))).toBe(true);
    expect(isActive(at('2026-03-29T14:00:00Z'))).toBe(false);
  });

  it('skips the hour that the clocks skip, and has the hour twice that they repeat', () => {
    const isActive = activeHours({ time_zone: 'Europe/Berlin', days: everyDay, from: '02:00', to: '03:00' });
    const active = (first: string, hours: number) =>
      Array.from({ length: hours }, (_, hour) => isActive(at(first) + hour * 3_600_000));
    // 01:30, 03:30, 04:30 in March; 01:30, 02:30, 02:30, 03:30 in October.
    expect(active('2026-03-29T00:30:00Z', 3)).toEqual([false, false, false]);
    expect(active('2026-10-24T23:30:00Z', 4)).toEqual([false, true, true, false]);
  });

  it('counts hours past midnight as hours of the day on which they begin', () => {
    const isActive = activeHours({ time_zone: 'America/New_York', days: [5], from: '22:00', to: '06:00' });
    expect(isActive(at('2026-06-06T01:59:00Z'))).toBe(false);
    expect(isActive(at('2026-06-06T02:00:00Z'))).toBe(true);
    expect(isActive(at('2026-06-06T09:59:00Z'))).toBe(true);
    expect(isActive(at('2026-06-06T10:00:00Z'))).toBe(false);
    // Friday morning belongs to Thursday's night.
    expect(isActive(at('2026-06-05T05:00:00Z'))).toBe(false);
  });

  it('is active around the clock where it ends when it begins', () => {
    const isActive = activeHours({ time_zone: 'Asia/Kathmandu', days: [1], from: '00:00', to: '00:00' });
    expect(isActive(at('2026-06-07T18:14:59Z'))).toBe(false);
    expect(isActive(at('2026-06-07T18:15:00Z'))).toBe(true);
    expect(isActive(at('2026-06-08T18:14:59Z'))).toBe(true);
    expect(isActive(at('2026-06-08T18:15:00Z'))).toBe(false);
  });
});
