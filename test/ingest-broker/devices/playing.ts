import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MqttClient } from 'mqtt';
import { projectRoot } from '../../../server/kernel/project-root.js';
import type { ScanOrganization, TestReader } from '../../support/scan-world.js';

const folder = path.join(projectRoot(), 'test', 'ingest-broker', 'devices', 'cases');

/** Returns the bytes of a message as a device sent it. */
export const messageOf = (file: string): Buffer => readFileSync(path.join(folder, file));

/** A step of a device that does several things; fields depend on the file. */
export type Step = {
  reader?: string;
  topic?: string;
  payload?: unknown;
  repeat?: number;
  qos?: 0 | 1;
  will?: { topic: string; payload: string };
};

export const stepsOf = (file: string): Step[] =>
  messageOf(file)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Step);

/** Returns a payload as bytes: texts as they are, anything else as JSON. */
export const bytesOf = (payload: unknown): Buffer =>
  Buffer.isBuffer(payload) ? payload : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));

/** Publishes with an acknowledgement, so that the message is stored when this resolves. */
export async function send(client: MqttClient, topic: string, payload: unknown): Promise<void> {
  await client.publishAsync(topic, bytesOf(payload), { qos: 1 });
}

/** What became of the messages of a reader. */
export async function outcomeOf(org: ScanOrganization, reader: Pick<TestReader, 'id'>) {
  const [unknown, rejected, readers] = await Promise.all([
    org.admin.scans.unknownTags({ limit: 200 }),
    org.admin.scans.rejectedMessages({ reader_id: reader.id }),
    org.admin.readers.list(),
  ]);
  return {
    unknown: unknown.data
      .filter(({ reader_id }) => reader_id === reader.id)
      .map(({ tag_type, value }) => `${tag_type} ${value}`)
      .toSorted(),
    rejected: rejected.data.map(({ reason }) => reason),
    isAlive: readers.data.find(({ id }) => id === reader.id)?.last_message_at !== null,
  };
}

export const isHeartbeat = { unknown: [], rejected: [], isAlive: true };
