import { expect } from 'vitest';
import type { LivePosition } from '../../../../server/tracking/live/items.js';
import type { EventStream } from '../../../support/event-stream.js';
import type { LiveSession, LiveWorld } from '../../../support/live-world.js';
import { cs463 } from '../../../support/mqtt.js';

/** The tag of the asset in `createFixture`. */
export const epc = 'E2801190A503006543E21224';

/** An organization with an asset, a reader that is connected, and a viewer. */
export async function createFixture(world: LiveWorld) {
  const org = await world.organization();
  const dock = await org.location();
  const asset = await org.asset({ tags: [['rfid', epc]] });
  const reader = await org.reader({ format: 'csl_cs463', location_id: dock });
  const client = await world.connect(reader);
  const session = await world.session(org.orgId);
  const read = (...epcs: string[]) =>
    client.publishAsync(reader.publish_topic, cs463(epcs.length === 0 ? [epc] : epcs), { qos: 1 });
  return { org, dock, asset, reader, session, read };
}

/** The next item of a stream, which must have one. */
export async function nextItem(stream: EventStream): Promise<any> {
  const next = await stream.next();
  if (next?.event === 'connected') return nextItem(stream);
  if (next?.event !== 'message') throw new Error(`no item but ${JSON.stringify(next)}`);
  expect(next.id).toMatch(/^[0-9A-Z]{26}$/);
  return next.data;
}

export async function nextPositions(stream: EventStream): Promise<LivePosition[]> {
  const item = await nextItem(stream);
  expect(item.kind).toBe('positions');
  return item.positions;
}

/** A resumed stream may first say that it has caught up with what its process has received. */
export async function nextMoved(stream: EventStream): Promise<LivePosition[]> {
  for (;;) {
    const positions = await nextPositions(stream);
    if (positions.length > 0) return positions;
  }
}

export async function opened(
  session: LiveSession,
  options: Parameters<LiveSession['live']>[0] = {},
): Promise<EventStream> {
  const stream = await session.live(options);
  expect(await nextItem(stream)).toEqual({ kind: 'ready' });
  return stream;
}

/** Returns the error event that ends the stream. */
export async function refusal(stream: EventStream): Promise<any> {
  for (;;) {
    const next = await stream.next();
    if (!next) throw new Error(`the stream was ${await stream.ended()} without a word`);
    if (next.event === 'serialized-error') return next.data.data;
  }
}
