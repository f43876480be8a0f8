/**
 * A reader for deploy/verify.sh, which runs it in the image:   node verify-reader.mjs mqtt://<host>:<port> [messages]
 *
 * Publishes one read per message at QoS 1, and publishes a message again on a new connection until it is acknowledged. After that
 * many messages, or on SIGTERM once the last one is acknowledged, prints how many were acknowledged. With mqtts:// any certificate is
 * accepted.
 *
 * MQTT_USERNAME, MQTT_PASSWORD and TOPIC belong to the reader; TAG is the tag that it reads.
 */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { generate, parser } from 'mqtt-packet';

const { MQTT_USERNAME: username = '', MQTT_PASSWORD: password = '', TOPIC: topic = '', TAG: value = '' } = process.env;
const { protocol, hostname, port } = new URL(process.argv[2] ?? '');
const messagesMax = Number(process.argv[3] ?? Infinity);
const betweenMessagesMs = 20;
const answerWithinMs = 30_000;

/** The message that is to be acknowledged. Its read has a time of its own, so that it is stored once, however often it is sent. */
let open;
let acknowledged = 0;
let isStopping = false;
let lastReadMs = 0;
process.on('SIGTERM', () => (isStopping = true));

function nextMessage() {
  lastReadMs = Math.max(Date.now(), lastReadMs + 1);
  const payload = JSON.stringify({ reads: [{ value, observed_at: new Date(lastReadMs).toISOString() }] });
  return { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false, messageId: (acknowledged % 65_535) + 1 };
}

function isDone() {
  return acknowledged >= messagesMax || (isStopping && !open);
}

/** One connection, until it ends or everything is done. */
async function publishOn(socket) {
  const packets = [];
  const parsing = parser().on('packet', (packet) => packets.push(packet));
  const received = (async function* () {
    for await (const chunk of socket) {
      parsing.parse(chunk);
      yield* packets.splice(0);
    }
  })();
  const next = async () => (await received.next()).value;

  socket.setTimeout(answerWithinMs, () => socket.destroy());
  socket.write(
    generate({
      cmd: 'connect',
      clientId: 'verify',
      clean: true,
      keepalive: 60,
      username,
      password: Buffer.from(password),
    }),
  );
  if ((await next())?.returnCode !== 0) return;
  while (!isDone()) {
    open ??= nextMessage();
    socket.write(generate(open));
    open.dup = true;
    const packet = await next();
    if (packet?.cmd !== 'puback' || packet.messageId !== open.messageId) return;
    open = undefined;
    acknowledged += 1;
    await delay(betweenMessagesMs);
  }
  socket.end(generate({ cmd: 'disconnect' }));
}

while (!isDone()) {
  const address = { host: hostname, port: Number(port) };
  const socket = protocol === 'mqtts:' ? connectTls({ ...address, rejectUnauthorized: false }) : connect(address);
  await publishOn(socket).catch(() => {});
  socket.destroy();
  await delay(100);
}
console.log(acknowledged);
