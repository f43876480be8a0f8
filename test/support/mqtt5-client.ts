import { generate, type IConnectPacket, type Packet, parser } from 'mqtt-packet';
import { type Credentials, identity } from './mqtt.js';
import { packet, type RawMqtt, rawMqtt } from './raw-mqtt.js';

const version5 = { protocolVersion: 5 };

/** A client of MQTT 5 that sends given packets, or bytes that are none. */
export type Mqtt5Client = Disposable & {
  readonly raw: RawMqtt;
  send(...packets: (Packet | Uint8Array)[]): void;
  /** The next packet, or undefined once the other side has closed. */
  next(): Promise<Packet | undefined>;
};

export async function mqtt5Client(port: number): Promise<Mqtt5Client> {
  const raw = await rawMqtt(port);
  const stream = parser(version5);
  let parsed: Packet | undefined;
  stream.on('packet', (found) => (parsed = found));
  return {
    raw,
    send: (...packets) => raw.send(...packets.map((each) => (each instanceof Uint8Array ? each : bytesOf(each)))),
    async next() {
      const found = await raw.next();
      parsed = undefined;
      if (found) stream.parse(packet(found.type, found.flags, found.body));
      return parsed;
    },
    [Symbol.dispose]: () => raw[Symbol.dispose](),
  };
}

/** Returns a packet of MQTT 5 as bytes. */
export const bytesOf = (given: Packet): Buffer => generate(given, version5);

export function connectOf(reader: Credentials, more: Partial<IConnectPacket> = {}): IConnectPacket {
  const { username, password } = identity(reader);
  const own = { username, password: Buffer.from(password), clientId: 'five', clean: true, keepalive: 60 };
  return { cmd: 'connect', protocolId: 'MQTT', protocolVersion: 5, ...own, ...more };
}

/** Connects with a reader's own user name and password, and waits until that is accepted. */
export async function mqtt5Reader(
  port: number,
  reader: Credentials,
  more: Partial<IConnectPacket> = {},
): Promise<Mqtt5Client> {
  const client = await mqtt5Client(port);
  client.send(connectOf(reader, more));
  const answer = await client.next();
  if (answer?.cmd !== 'connack' || answer.reasonCode !== 0) throw new Error(`not accepted: ${JSON.stringify(answer)}`);
  return client;
}
