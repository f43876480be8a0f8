import { Writable } from 'node:stream';
import type { Packet } from 'mqtt-packet';
import { expect, it } from 'vitest';
import { createLog } from '../../../server/kernel/log.js';
import { expectPacket, passedOn, startFakeBroker } from '../../support/fake-broker.js';
import { openSubscribedIngest, openExternalIngest } from '../../support/external-ingest.js';
import { ingestPassword } from '../../support/external-world.js';
import { sharedScanWorld } from '../../support/scan-world.js';
import { createSelfSigned } from '../../support/self-signed.js';
import { pollOptions } from '../../support/poll-options.js';

const world = await sharedScanWorld();

/** A log whose entries a test can look at. */
function keptLog() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { log: createLog('debug', destination), lines, text: () => lines.join('') };
}

it.each([
  [3, 'it is not available now'],
  [4, 'it refuses the user or the password in MQTT_URL'],
  [5, 'it refuses the user or the password in MQTT_URL'],
  [9, 'it refuses the connection with code 9'],
])(
  'reports why its login is rejected (%d), tries again, and keeps the password to itself',
  async (returnCode, reason) => {
    const kept = keptLog();
    await using broker = await startFakeBroker();
    await using ingest = await openExternalIngest(world, broker, { log: kept.log });
    const refused = await broker.accept();
    await expectPacket(refused, 'connect');
    refused.send({ cmd: 'connack', returnCode, sessionPresent: false });
    expect(await refused.next()).toBeUndefined();
    await broker.accept();
    expect(ingest.isListening()).toBe(false);
    expect(kept.text()).toContain(`"reason":"${reason}"`);
    expect(kept.text()).not.toContain(ingestPassword);
  },
);

it('logs that its subscription is rejected, and retries', async () => {
  const kept = keptLog();
  await using broker = await startFakeBroker();
  await using ingest = await openExternalIngest(world, broker, { log: kept.log });
  const peer = await broker.accept();
  await expectPacket(peer, 'connect');
  peer.send({ cmd: 'connack', returnCode: 0, sessionPresent: false });
  await expectPacket(peer, 'subscribe');
  peer.send({ cmd: 'suback', messageId: 1, granted: [128] });
  expect(await peer.next()).toBeUndefined();
  await broker.admit();
  await expect.poll(() => ingest.isListening(), pollOptions).toBe(true);
  expect(kept.text()).toContain('the broker rejects the subscription to $share/whereabouts/readers/+/#');
});

const nonsense: [string, Packet | Uint8Array][] = [
  ['bytes that are no MQTT', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a length without an end', Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01])],
  ['a packet of a client', { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'a', qos: 0 }] }],
  ['a second CONNACK', { cmd: 'connack', returnCode: 0, sessionPresent: false }],
  ['a second SUBACK', { cmd: 'suback', messageId: 1, granted: [2] }],
  ['a message without an identifier', Buffer.from([0x32, 5, 0, 1, 0x61, 0, 0])],
  ['a long packet that is no message', Buffer.from([0x90, 0xff, 0xff, 0xff, 0x7f])],
];

it.each(nonsense)('ends a connection over which comes %s, and makes another', async (_what, sent) => {
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker);
  const { peer } = ingest;
  await peer.untilNow();
  peer.send(sent);
  while (await peer.next());
  expect(ingest.isListening()).toBe(false);
  const next = await broker.admit();
  await next.untilNow();
  expect(ingest.isListening()).toBe(true);
});

it('ends a connection on which a message comes before the CONNACK', async () => {
  await using broker = await startFakeBroker();
  await using ingest = await openExternalIngest(world, broker);
  const peer = await broker.accept();
  peer.send(passedOn({ topic: 'readers/a/reads', payload: 'x', messageId: 1 }));
  await expectPacket(peer, 'connect');
  expect(await peer.next()).toBeUndefined();
  expect(ingest.stats().messagesUnderWay).toBe(0);
});

it('disconnects from a broker that no longer answers, and stays with one that does', async () => {
  await using broker = await startFakeBroker();
  await using ingest = await openSubscribedIngest(world, broker, { keepAliveMs: 100 });
  const { peer } = ingest;
  for (let count = 0; count < 3; count += 1) {
    await expectPacket(peer, 'pingreq');
    peer.send({ cmd: 'pingresp' });
  }
  expect(ingest.isListening()).toBe(true);
  await expectPacket(peer, 'pingreq');
  expect(await peer.next()).toBeUndefined();
  await broker.accept();
});

it('asks for a certificate that holds for the host', async () => {
  using certificate = createSelfSigned();
  const kept = keptLog();
  await using broker = await startFakeBroker({ tls: certificate });
  const overTls = { isTls: true, host: 'localhost', log: kept.log };
  await using wary = await openExternalIngest(world, broker, overTls);
  await expect.poll(() => kept.text(), pollOptions).toContain('self-signed certificate');
  await wary.close();
  await using trusting = await openExternalIngest(world, broker, { ...overTls, caFile: certificate.certFile });
  const peer = await broker.admit();
  await peer.untilNow();
  expect(trusting.isListening()).toBe(true);
  await using elsewhere = await openExternalIngest(world, broker, {
    ...overTls,
    host: '127.0.0.1',
    caFile: certificate.certFile,
  });
  await expect.poll(() => kept.text(), pollOptions).toContain('IP: 127.0.0.1 is not in the cert');
  expect(elsewhere.isListening()).toBe(false);
});

it('is closed in any state: never connected, rejected, waiting for the next try', async () => {
  const broker = await startFakeBroker();
  const silent = await openExternalIngest(world, broker);
  await broker.accept();
  await silent.close();
  const refused = await openExternalIngest(world, broker);
  const peer = await broker.accept();
  peer.send({ cmd: 'connack', returnCode: 4, sessionPresent: false });
  while (await peer.next());
  await refused.close();
  await broker[Symbol.asyncDispose]();
  const alone = await openExternalIngest(world, broker);
  await alone.close();
  expect(alone.isListening()).toBe(false);
});
