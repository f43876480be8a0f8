import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createIngestBroker } from '../../ingest-broker/index.js';
import { ContractError, type Core, serviceUnavailable } from '../../server/index.js';
import { createLog } from '../../server/kernel/log.js';
import { createBrokerWorld, identity } from '../support/mqtt.js';
import { connectPacket, rawMqtt } from '../support/raw-mqtt.js';

const notChecked = 'a login could not be checked';

/** Returns the code of the CONNACK that a reader gets. */
async function returnCode(port: number, reader: { mqtt_username: string; mqtt_password: string }) {
  using client = await rawMqtt(port);
  client.send(connectPacket({ clientId: 'c', ...identity(reader) }));
  return (await client.next())?.body[1];
}

function recordingLog() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLog('info', destination), lines };
}

// Every ContractError was taken for the move of an organization, so that other failures of logins were not logged.
test('a login that fails is logged with its error, unless the organization is being moved', async () => {
  const { log, lines } = recordingLog();
  await using world = await createBrokerWorld({ log });
  const org = await world.organization();
  const reader = await org.reader();
  await world.db.organization.update({ where: { id: org.orgId }, data: { moving: 'left' } });
  expect(await returnCode(world.port, reader)).toBe(3);
  expect(lines.join('')).not.toContain(notChecked);

  const busy = (): Promise<never> => Promise.reject(serviceUnavailable('The service is too busy', 1));
  const core: Core = { ...world.core, readers: { ...world.core.readers, authenticate: busy } };
  const broker = createIngestBroker({ core, settings: world.settings, log });
  const { port } = await broker.listen();
  expect(await returnCode(port, reader)).toBe(3);
  await broker.close();
  expect(lines.filter((line) => line.includes(notChecked))).toEqual([expect.stringContaining(ContractError.name)]);
});
