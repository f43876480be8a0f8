import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { generate, type IConnectPacket, type IPublishPacket, type Packet, parser } from 'mqtt-packet';
import type { SelfSigned } from './self-signed.js';

/** A broker that sends what a test passes to it, packet by packet. */
export type FakeBroker = AsyncDisposable & {
  readonly port: number;
  /** Returns the next connection. */
  accept(): Promise<FakePeer>;
  /** Returns the next connection, accepted and subscribed. */
  admit(options?: { sessionPresent?: boolean }): Promise<FakePeer>;
};

/** One client's connection, as the broker sees it. */
export type FakePeer = {
  readonly socket: Socket;
  /** The next packet, or undefined once the client has closed. */
  next(): Promise<Packet | undefined>;
  /** Sends packets, or bytes that are none. */
  send(...packets: (Packet | Uint8Array)[]): void;
  /** Returns what came before the answer to a PUBREL of an unknown message, which a client gives at once. */
  untilNow(): Promise<Packet[]>;
};

export async function startFakeBroker({ tls }: { tls?: SelfSigned } = {}): Promise<FakeBroker> {
  const arrivals = createQueue<FakePeer>();
  const sockets = new Set<Socket>();
  const welcome = (socket: Socket) => {
    sockets.add(socket);
    arrivals.add(createPeer(socket));
  };
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }, welcome)
    : createServer(welcome);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accept = async () => (await arrivals.next()) as FakePeer;
  return {
    port: (server.address() as AddressInfo).port,
    accept,
    async admit({ sessionPresent = false } = {}) {
      const peer = await accept();
      await expectPacket<IConnectPacket>(peer, 'connect');
      peer.send({ cmd: 'connack', returnCode: 0, sessionPresent });
      const { messageId } = await expectPacket(peer, 'subscribe');
      peer.send({ cmd: 'suback', messageId: messageId ?? 0, granted: [2] });
      return peer;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns the next packet, which has to be of that kind. */
export async function expectPacket<Expected extends Packet>(peer: FakePeer, cmd: Expected['cmd']): Promise<Expected> {
  const packet = await peer.next();
  if (packet?.cmd !== cmd) throw new Error(`not ${cmd} but ${JSON.stringify(packet)}`);
  return packet as Expected;
}

/** A message as a broker passes it on. */
export function passedOn(
  message: Partial<IPublishPacket> & { topic: string; payload: string | Buffer },
): IPublishPacket {
  return { cmd: 'publish', qos: 1, dup: false, retain: false, ...message };
}

const unknownMessage = 65_535;

/** The other side of a connection, packet by packet. */
export function createPeer(socket: Socket): FakePeer {
  const packets = createQueue<Packet>();
  const stream = parser({ protocolVersion: 4 });
  stream.on('packet', (packet) => packets.add(packet));
  socket.on('data', (chunk: Buffer) => void stream.parse(chunk));
  socket.on('error', () => {});
  socket.on('close', () => packets.end());
  const peer: FakePeer = {
    socket,
    next: () => packets.next(),
    send(...given) {
      for (const packet of given) socket.write(packet instanceof Uint8Array ? packet : generate(packet));
    },
    async untilNow() {
      peer.send({ cmd: 'pubrel', messageId: unknownMessage });
      const before: Packet[] = [];
      for (;;) {
        const packet = await packets.next();
        if (!packet || (packet.cmd === 'pubcomp' && packet.messageId === unknownMessage)) return before;
        if (packet.cmd !== 'pingreq') before.push(packet);
      }
    },
  };
  return peer;
}

/** Waits for the next packet, or returns a received one at once; undefined after the end. */
function createQueue<Item>() {
  const items: Item[] = [];
  const waiting: ((item: Item | undefined) => void)[] = [];
  let isOver = false;
  return {
    add(item: Item): void {
      const waiter = waiting.shift();
      if (waiter) waiter(item);
      else items.push(item);
    },
    end(): void {
      isOver = true;
      for (const waiter of waiting.splice(0)) waiter(undefined);
    },
    async next(): Promise<Item | undefined> {
      if (items.length > 0) return items.shift();
      return isOver ? undefined : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
