import { expect, it } from 'vitest';
import { type Settings, readSettings } from '../../../../server/kernel/settings.js';
import { addMember, addOrganization, createCaller, createServicesWorld } from '../../../support/caller.js';

async function addressWith(settings: Partial<Settings>, ports?: { port: number; tlsPort?: number }) {
  await using world = await createServicesWorld({ settings });
  if (ports) world.services.brokerPorts.note(ports);
  const { actor } = await addMember(world, await addOrganization(world), 'admin');
  return await createCaller(world.services, actor).readers.brokerAddress();
}

it('is beside the web address', async () => {
  expect(await addressWith({ baseUrl: 'https://where.example.com', mqttPort: 1884 })).toEqual({
    host: 'where.example.com',
    port: 1884,
    tls_port: null,
    is_local: false,
    is_outside: false,
  });
});

it('has the ports that the broker has opened', async () => {
  const baseUrl = 'http://[2001:db8::1]:3000';
  expect(await addressWith({ baseUrl, mqttPort: 0 }, { port: 49_152, tlsPort: 49_153 })).toMatchObject({
    host: '2001:db8::1',
    port: 49_152,
    tls_port: 49_153,
  });
});

it('reports an address that no reader elsewhere can reach', async () => {
  for (const baseUrl of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
    expect(await addressWith({ baseUrl }), baseUrl).toMatchObject({ is_local: true });
  }
});

it('reports the address of an external broker', async () => {
  const { externalBroker } = readSettings({ MQTT_URL: 'mqtts://user:secret@mqtt.example.com' });
  const address = await addressWith(externalBroker ? { externalBroker } : {});
  expect(address).toEqual({
    host: 'mqtt.example.com',
    port: null,
    tls_port: 8883,
    is_local: false,
    is_outside: true,
  });
});
