import type { Credentials } from './mqtt.js';
import { type ConnectOptions, connectPacket, packetTypes, type RawMqtt, rawMqtt } from './raw-mqtt.js';

/** A connected reader that sends given bytes. */
export type RawReader = RawMqtt & {
  readonly connack: { sessionPresent: boolean; returnCode: number };
};

/** Connects with a reader's own user name and password, and waits for the CONNACK. */
export async function rawReader(
  port: number,
  { mqtt_username: username, mqtt_password: password }: Credentials,
  { localAddress, ...options }: Partial<ConnectOptions> & { localAddress?: string } = {},
): Promise<RawReader> {
  const client = await rawMqtt(port, localAddress);
  client.send(connectPacket({ clientId: 'raw', username, password, ...options }));
  const answer = await client.next();
  if (answer?.type !== packetTypes.connack) throw new Error('the broker did not answer the CONNECT');
  const [flags = 0, returnCode = 0] = answer.body;
  return Object.assign(client, { connack: { sessionPresent: flags === 1, returnCode } });
}
