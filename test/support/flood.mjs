/**
 * Clients that load a broker, in a separate process: `node flood.mjs`, with the task as JSON in the first argument.
 * Prints `ready` once all of them are running, and continues until it is killed.
 */
import { connect } from 'node:net';

const { port, crowds } = JSON.parse(process.argv[2]);

const text = (value) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};

function packet(first, ...parts) {
  const body = Buffer.concat(parts);
  const length = [];
  for (let rest = body.length; rest > 127 || length.length === 0; rest >>= 7) {
    if (rest < 128) break;
    length.push((rest & 127) | 128);
  }
  length.push(body.length >> (7 * length.length));
  return Buffer.concat([Buffer.from([first, ...length]), body]);
}

let clients = 0;

function connectOf({ username = 'nobody', password = 'nothing' }) {
  clients += 1;
  const head = [text('MQTT'), Buffer.from([4, 0xc2, 0, 0])];
  return packet(0x10, ...head, text(`flood ${process.pid} ${clients}`), text(username), text(password));
}

function publishOf({ topic }, qos) {
  const reads = Array.from({ length: 10 }, (_, index) => ({ value: `FLOOD ${index}` }));
  const identifier = qos > 0 ? [Buffer.from([0, 1])] : [];
  return packet(0x30 | (qos << 1), text(topic), ...identifier, Buffer.from(JSON.stringify({ reads })));
}

function open(onEnd = () => {}) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.on('close', onEnd);
  socket.resume();
  return socket;
}

/** Writes as much as the socket takes, forever. */
function pour(socket, bytes) {
  while (!socket.destroyed && socket.write(bytes));
  socket.once('drain', () => pour(socket, bytes));
}

/** Restarts as soon as it is over. */
function again(work) {
  work(() => setTimeout(() => again(work), 5));
}

const kinds = {
  silent: () => void open(),
  half: (crowd) => void open().write(connectOf(crowd).subarray(0, 20)),
  idle: (crowd) => void open().write(connectOf(crowd)),
  qos0(crowd) {
    const socket = open();
    socket.write(connectOf(crowd));
    pour(socket, Buffer.concat(Array(20).fill(publishOf(crowd, 0))));
  },
  qos1(crowd) {
    const socket = open();
    socket.write(connectOf(crowd));
    pour(socket, Buffer.concat(Array(20).fill(publishOf(crowd, 1))));
  },
  wrong: (crowd) => again((onEnd) => void open(onEnd).write(connectOf(crowd))),
  garbage: () =>
    again((onEnd) => void open(onEnd).write(Buffer.from(Array.from({ length: 200 }, Math.random).map((n) => n * 256)))),
  /** Never reads answers. */
  deaf(crowd) {
    const socket = open().pause();
    socket.write(connectOf(crowd));
    pour(socket, Buffer.concat(Array(20).fill(publishOf(crowd, 1))));
  },
  pings(crowd) {
    const socket = open();
    socket.write(connectOf(crowd));
    pour(socket, Buffer.concat(Array(1000).fill(Buffer.from([0xc0, 0]))));
  },
  /** Logs in, and sends what no reader may send. */
  unruly: (crowd) =>
    again((onEnd) => void open(onEnd).write(Buffer.concat([connectOf(crowd), Buffer.from([0xf0, 0])]))),
};

for (const crowd of crowds) for (let index = 0; index < crowd.count; index += 1) kinds[crowd.kind](crowd);
process.stdout.write('ready\n');
