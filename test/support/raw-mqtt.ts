import { connect, type Socket } from 'node:net';

/** Types of MQTT control packets. */
export const packetTypes = {
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  suback: 9,
  unsubscribe: 10,
  unsuback: 11,
  pingreq: 12,
  pingresp: 13,
  disconnect: 14,
} as const;

export type RawPacket = { type: number; flags: number; body: Buffer };

/** An MQTT client that sends given bytes. */
export type RawMqtt = Disposable & {
  readonly socket: Socket;
  send(...parts: Uint8Array[]): void;
  /** The next packet, or undefined once the other side has closed. */
  next(): Promise<RawPacket | undefined>;
  closed(): Promise<void>;
};

/** Connects, and fails as the socket does. All of 127.0.0.0/8 can be the client's address. */
export async function rawMqtt(port: number, localAddress = '127.0.0.1'): Promise<RawMqtt> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let buffer = Buffer.alloc(0);
  let isClosed = false;
  const wakers: (() => void)[] = [];
  const wake = () => {
    for (const waker of wakers.splice(0)) waker();
  };
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    wake();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });

  function take(): RawPacket | undefined {
    let length = 0;
    for (let index = 1; index < buffer.length && index < 5; index += 1) {
      const byte = buffer[index] ?? 0;
      length += (byte & 127) * 128 ** (index - 1);
      if (byte >= 128) continue;
      if (buffer.length < index + 1 + length) return undefined;
      const head = buffer[0] ?? 0;
      const body = buffer.subarray(index + 1, index + 1 + length);
      buffer = buffer.subarray(index + 1 + length);
      return { type: head >> 4, flags: head & 15, body };
    }
    return undefined;
  }

  return {
    socket,
    send: (...parts) => void socket.write(Buffer.concat(parts)),
    async next() {
      for (;;) {
        const packet = take();
        if (packet || isClosed) return packet;
        await new Promise<void>((resolve) => wakers.push(resolve));
      }
    },
    async closed() {
      while (!isClosed) await new Promise<void>((resolve) => wakers.push(resolve));
    },
    [Symbol.dispose]() {
      socket.destroy();
    },
  };
}

export function packet(type: number, flags: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  let rest = body.length;
  do {
    length.push((rest & 127) | (rest > 127 ? 128 : 0));
    rest >>= 7;
  } while (rest > 0);
  return Buffer.concat([Buffer.from([(type << 4) | flags, ...length]), body]);
}

export function text(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}

export function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}

export type ConnectOptions = {
  clientId: string;
  username: string;
  password: string;
  clean?: boolean;
  version?: 3 | 4 | 5;
  keepAliveSeconds?: number;
  will?: { topic: string; payload: string };
};

export function connectPacket(options: ConnectOptions): Buffer {
  const { clientId, username, password, clean = true, version = 4, keepAliveSeconds = 60, will } = options;
  const flags = 0xc0 | (clean ? 2 : 0) | (will ? 4 : 0);
  const protocol = version === 3 ? 'MQIsdp' : 'MQTT';
  const properties = version === 5 ? [Buffer.from([0])] : [];
  const head = [text(protocol), Buffer.from([version, flags]), uint16(keepAliveSeconds), ...properties];
  const lastWill = will ? [text(will.topic), text(will.payload)] : [];
  return packet(packetTypes.connect, 0, ...head, text(clientId), ...lastWill, text(username), text(password));
}

export type PublishOptions = {
  topic: string;
  payload: string | Uint8Array;
  qos: 0 | 1 | 2;
  id?: number;
  dup?: boolean;
};

export function publishPacket({ topic, payload, qos, id = 1, dup = false }: PublishOptions): Buffer {
  const identifier = qos > 0 ? [uint16(id)] : [];
  return packet(packetTypes.publish, (dup ? 8 : 0) | (qos << 1), text(topic), ...identifier, Buffer.from(payload));
}

/** Asks for each filter at QoS 1. */
export function subscribePacket(id: number, ...filters: (string | Uint8Array)[]): Buffer {
  const asked = filters.flatMap((filter) => [text(filter), Buffer.from([1])]);
  return packet(packetTypes.subscribe, 2, uint16(id), ...asked);
}

export function unsubscribePacket(id: number, ...filters: (string | Uint8Array)[]): Buffer {
  return packet(packetTypes.unsubscribe, 2, uint16(id), ...filters.map((filter) => text(filter)));
}

/** PUBACK, PUBREC, PUBREL and PUBCOMP, which hold nothing but an identifier. */
export function answerPacket(type: number, id: number): Buffer {
  return packet(type, type === packetTypes.pubrel ? 2 : 0, uint16(id));
}

export const pingPacket = packet(packetTypes.pingreq, 0);
export const disconnectPacket = packet(packetTypes.disconnect, 0);
