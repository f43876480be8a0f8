import type { Credentials } from './mqtt.js';
import { connectPacket, packetTypes, type RawMqtt, rawMqtt } from './raw-mqtt.js';

export type LoginOptions = { clientId?: string; clean?: boolean; will?: { topic: string; payload: string } };

/** An accepted connection, and the session flag of its CONNACK. */
export async function logIn(
  { port }: { port: number },
  { mqtt_username: username, mqtt_password: password }: Credentials,
  { clientId = 'gate', clean = false, ...more }: LoginOptions = {},
): Promise<RawMqtt & { hasSession: boolean }> {
  const client = await rawMqtt(port);
  client.send(connectPacket({ clientId, username, password, clean, ...more }));
  const answer = await client.next();
  if (answer?.type !== packetTypes.connack || answer.body[1] !== 0) {
    throw new Error(`login rejected: ${JSON.stringify(answer)}`);
  }
  return Object.assign(client, { hasSession: answer.body[0] === 1 });
}
