import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { readProjectFile, tableRowsOf } from './markdown.js';

type Service = { profiles?: string[]; environment?: Record<string, string>; ports?: string[]; depends_on?: object };

const { services } = parse(readProjectFile('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
};

const balancer = readProjectFile('deploy', 'haproxy.cfg');

function namesOf(isWanted: (service: Service) => boolean): string[] {
  return Object.entries(services).flatMap(([name, service]) => (isWanted(service) ? name : []));
}

test('without a profile it is the database and one process, and with the profile scale several and what they need', () => {
  expect(namesOf(({ profiles }) => !profiles)).toEqual(['database', 'whereabouts']);
  expect(namesOf(({ profiles }) => profiles?.join() === 'scale')).toEqual([
    'gateway',
    'ingest-broker',
    'redis',
    'balancer',
  ]);
  const needed = Object.values(services).flatMap((service) => Object.keys(service.depends_on ?? {}));
  expect(needed.filter((name) => !(name in services) || name === 'whereabouts')).toEqual([]);
});

/** What compose decides itself, or what only a process without containers needs. */
const notPassed = ['PORT', 'MQTT_PORT', 'MQTT_TLS_PORT', 'DATA_DIR', 'ROLE', 'PROBES_PORT', 'REDIS_URL'];

test('it passes every setting on', () => {
  const settings = Array.from(readProjectFile('.env.example').matchAll(/^#?([A-Z_]+)=/gm), ([, name = '']) => name);
  for (const name of ['whereabouts', 'gateway', 'ingest-broker']) {
    const passed = Object.keys(services[name]?.environment ?? {});
    expect([name, settings.filter((setting) => !passed.includes(setting) && !notPassed.includes(setting))]).toEqual([
      name,
      [],
    ]);
  }
});

test('it sets what the service knows', () => {
  const known = tableRowsOf(readProjectFile('docs', 'settings.md')).map(([name = '']) => name.replaceAll('`', ''));
  for (const name of ['whereabouts', 'gateway', 'ingest-broker']) {
    const set = Object.keys(services[name]?.environment ?? {});
    expect(set.length).toBeGreaterThan(5);
    expect(set.filter((setting) => !known.includes(setting))).toEqual([]);
  }
  expect(services['gateway']?.environment).toMatchObject({ ROLE: 'gateway', REDIS_URL: 'redis://redis:6379' });
  expect(services['ingest-broker']?.environment).toMatchObject({ ROLE: 'ingest-broker' });
  const [, asked] = / check port (\d+) /.exec(balancer) ?? [];
  expect(String(services['ingest-broker']?.environment?.['PROBES_PORT'])).toBe(asked);
});

test('the balancer answers on the ports of a single process, and leads to services that are there', () => {
  expect(services['balancer']?.ports).toEqual(services['whereabouts']?.ports);
  const bound = Array.from(balancer.matchAll(/^ +bind :(\d+)$/gm), ([, port]) => `${port}:${port}`);
  expect(bound).toEqual(services['balancer']?.ports);
  const behind = Array.from(balancer.matchAll(/^ +server-template \S+ \d+ (\S+):(\d+)$/gm), ([, name, port]) => [
    name,
    port,
  ]);
  expect(behind).toEqual([
    ['gateway', '3000'],
    ['ingest-broker', '1883'],
    ['ingest-broker', '8883'],
  ]);
  // Neither is taken for the other when containers exchange addresses.
  const probed = Array.from(balancer.matchAll(/ check port (\d+) /g), ([, port]) => port);
  expect(probed).toEqual(['3001', '3001']);
});
