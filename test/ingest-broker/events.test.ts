import { expect, test } from 'vitest';
import { createBrokerWorld } from '../support/mqtt.js';
import { pollOptions } from '../support/poll-options.js';
import { createReceiver } from '../support/webhook-receiver.js';

const epc = 'E2801190A503006543E21224';

test('what fixed readers read is reported with the reader and the antenna, from no location and to none', async () => {
  await using world = await createBrokerWorld({ settings: { webhooksAllowPrivateAddresses: true } });
  await using receiver = await createReceiver();
  const org = await world.organization();
  const hall = await org.location();
  const asset = await org.asset({ tags: [['rfid', epc]] });
  const inHall = await org.reader({ name: 'Hall', location_id: hall });
  const nowhere = await org.reader({ name: 'Truck' });
  const { secret } = await org.admin.webhooks.create({
    name: 'Receiver',
    url: receiver.url,
    event_types: ['asset.location_changed', 'tag.unknown'],
  });
  receiver.secret = secret;
  const [first, second] = [await world.connect(inHall), await world.connect(nowhere)];
  const send = async (client: typeof first, topic: string, read: object) => {
    await client.publishAsync(topic, JSON.stringify({ reads: [read] }), { qos: 1 });
  };

  // A type that is newly asked for is recorded from some seconds later on: unknown values show when.
  let tries = 0;
  await expect
    .poll(async () => {
      tries += 1;
      await send(first, inHall.publish_topic, { value: `PROBE${tries}`, antenna: 4 });
      return receiver.received.length;
    }, pollOptions)
    .toBeGreaterThan(0);
  const probe = receiver.received[0];
  expect(probe?.body).toMatchObject({
    type: 'tag.unknown',
    data: {
      organization_id: org.orgId,
      occurred_at: expect.any(String),
      tag_type: 'rfid',
      value: expect.stringMatching(/^PROBE/),
      reader: { id: inHall.id, name: 'Hall' },
      antenna: 4,
    },
  });

  const moves = () => receiver.received.filter(({ body }) => body.type === 'asset.location_changed');
  await send(first, inHall.publish_topic, { value: epc, antenna: 2 });
  await expect.poll(() => moves().length, pollOptions).toBe(1);
  expect(moves()[0]?.body.data).toMatchObject({
    asset: { id: asset, name: 'A thing' },
    from: null,
    to: { id: hall, path: ['A thing'] },
    reader: { id: inHall.id, name: 'Hall' },
    antenna: 2,
    user: null,
  });
  await send(second, nowhere.publish_topic, { value: epc });
  await expect.poll(() => moves().length, pollOptions).toBe(2);
  expect(moves()[1]?.body.data).toMatchObject({
    asset: { id: asset },
    from: { id: hall },
    to: null,
    reader: { id: nowhere.id, name: 'Truck' },
    antenna: 1,
  });

  const unknown = (value: string) => receiver.received.filter(({ body }) => body.data['value'] === value).length;
  await send(first, inHall.publish_topic, { value: 'STRAY-1' });
  await expect.poll(() => unknown('STRAY-1'), pollOptions).toBe(1);
  // Read again on the next day: known. After 30 days without a read it is reported anew.
  const readBefore = (days: number) => world.db.$executeRaw`
    UPDATE unknown_tags SET last_seen = now() - make_interval(days => ${days}::int) WHERE org_id = ${org.orgId}::int AND value = 'STRAY-1'`;
  const pending = () => world.db.$queryRaw`
    SELECT id FROM webhook_deliveries WHERE org_id = ${org.orgId}::int AND finished_at IS NULL`;
  await readBefore(1);
  await send(first, inHall.publish_topic, { value: 'STRAY-1' });
  await send(first, inHall.publish_topic, { value: 'MARKER' });
  await expect.poll(() => unknown('MARKER'), pollOptions).toBe(1);
  expect(unknown('STRAY-1')).toBe(1);
  await readBefore(31);
  // On one day, a value is one event, which is delivered once.
  await expect.poll(pending, pollOptions).toEqual([]);
  await world.db.$executeRaw`DELETE FROM webhook_deliveries WHERE org_id = ${org.orgId}::int`;
  await send(first, inHall.publish_topic, { value: 'STRAY-1' });
  await expect.poll(() => unknown('STRAY-1'), pollOptions).toBe(2);
}, 60_000);
