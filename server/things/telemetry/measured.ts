import { quantities, type Quantity, type Telemetry } from './quantities.js';

const hourMs = 3_600_000;

/** Values with the instants of their reads, in epoch milliseconds. */
export type TimedValues = Partial<Record<Quantity, { value: number; atMs: number }>>;

export type TagValues = { orgId: number; tagId: number; values: TimedValues };

/** What the tags of a batch measured. */
export type Measured = {
  /** The newest values, by tag. */
  latest: Map<number, TagValues>;
  /** The first values of each hour, by tag and hour. */
  hours: Map<string, TagValues & { hourMs: number }>;
};

export type TagMeasurement = { orgId: number; tagId: number; atMs: number; telemetry: Telemetry };

export function createMeasured(): Measured {
  return { latest: new Map(), hours: new Map() };
}

export function addMeasurement({ latest, hours }: Measured, { orgId, tagId, atMs, telemetry }: TagMeasurement): void {
  const hour = Math.floor(atMs / hourMs);
  const key = `${tagId} ${hour}`;
  const newest = latest.get(tagId) ?? { orgId, tagId, values: {} };
  const ofHour = hours.get(key) ?? { orgId, tagId, hourMs: hour * hourMs, values: {} };
  latest.set(tagId, newest);
  hours.set(key, ofHour);
  for (const quantity of quantities) {
    const value = telemetry[quantity];
    if (value === undefined) continue;
    const timed = { value, atMs };
    if (!(atMs <= (newest.values[quantity]?.atMs ?? Number.NEGATIVE_INFINITY))) newest.values[quantity] = timed;
    if (!(atMs >= (ofHour.values[quantity]?.atMs ?? Number.POSITIVE_INFINITY))) ofHour.values[quantity] = timed;
  }
}
