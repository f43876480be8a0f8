import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { readSettings } from '../../server/kernel/settings.js';
import { readProjectFile, tableRowsOf } from './markdown.js';

type Service = {
  image?: string;
  build?: object | string;
  profiles?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  depends_on?: object;
  command?: string[];
  stop_grace_period?: string;
  deploy?: { replicas: number };
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
};

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
const notPassed = ['PORT', 'MQTT_PORT', 'MQTT_TLS_PORT', 'DATA_DIR', 'ROLE', 'PROBES_PORT'];

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

test('docs/settings.md names the settings that .env cannot change', () => {
  const passed = services['whereabouts']?.environment ?? {};
  const fixed = Object.keys(passed).filter((name) => !String(passed[name]).startsWith(`\${${name}:`));
  const [, named = ''] = /those that Compose decides: (.*?)\./s.exec(readProjectFile('docs', 'settings.md')) ?? [];
  const names = Array.from(named.matchAll(/`([A-Z_]+)`/g), ([, name = '']) => name);
  expect(names.toSorted()).toEqual([...fixed, ...notPassed].toSorted());
});

test('it sets what the service knows', () => {
  const known = tableRowsOf(readProjectFile('docs', 'settings.md')).map(([name = '']) => name.replaceAll('`', ''));
  for (const name of ['whereabouts', 'gateway', 'ingest-broker']) {
    const set = Object.keys(services[name]?.environment ?? {});
    expect(set.length).toBeGreaterThan(5);
    expect(set.filter((setting) => !known.includes(setting))).toEqual([]);
  }
  expect(services['gateway']?.environment).toMatchObject({ ROLE: 'gateway' });
  expect(services['ingest-broker']?.environment).toMatchObject({ ROLE: 'ingest-broker' });
  const [, asked] = / check port (\d+) /.exec(balancer) ?? [];
  expect(String(services['ingest-broker']?.environment?.['PROBES_PORT'])).toBe(asked);
});

test('servers of the operator take the place of its own', () => {
  const ownDatabase = 'postgresql://whereabouts:${POSTGRES_PASSWORD:-whereabouts}@database:5432/whereabouts';
  for (const name of ['whereabouts', 'gateway', 'ingest-broker']) {
    expect([name, services[name]?.environment?.['DATABASE_URL']]).toEqual([name, `\${DATABASE_URL:-${ownDatabase}}`]);
  }
  const redis = ['whereabouts', 'gateway', 'ingest-broker'].map((name) => services[name]?.environment?.['REDIS_URL']);
  const balanced = '${REDIS_URL:-redis://redis:6379}';
  expect(redis).toEqual(['${REDIS_URL:-}', balanced, balanced]);
});

test('the database has room for the connections of all processes, also while an upgrade replaces them', () => {
  const perProcess = Number(/views: (\d+)\./.exec(readProjectFile('docs', 'scaling.md').replaceAll('\n', ' '))?.[1]);
  const command = services['database']?.command?.join(' ') ?? '';
  const max = Number(/max_connections=(\d+)/.exec(command)?.[1]);
  const replicas = ['gateway', 'ingest-broker'].map((name) => services[name]?.deploy?.replicas ?? 0);
  const processes = replicas.reduce((sum, count) => sum + count + 1, 0);
  // PostgreSQL keeps three for superusers; backups and other commands need a few.
  expect(perProcess * processes + 3 + 5).toBeLessThanOrEqual(max);
  const more = /up to (\d+) more for reads/.exec(readProjectFile('docs', 'settings.md'))?.[1];
  expect(perProcess).toBe(Number(more) + readSettings({}).databasePoolSize);
});

test('no container has more capabilities than its image needs', () => {
  for (const [name, { cap_drop: dropped, security_opt: options }] of Object.entries(services)) {
    expect([name, dropped, options]).toEqual([name, ['ALL'], ['no-new-privileges:true']]);
  }
  expect(namesOf(({ cap_add: added }) => added !== undefined)).toEqual(['database']);
});

test('images of others are pinned by digest', () => {
  const used = namesOf(({ build }) => !build).map((name) => services[name]?.image);
  used.push(/^ARG NODE_IMAGE=(.*)$/m.exec(readProjectFile('Dockerfile'))?.[1]);
  expect(used).toHaveLength(4);
  for (const image of used) expect(image).toMatch(/^[a-z/]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
});

test('each process has time to stop, also after its delay', () => {
  for (const name of ['whereabouts', 'gateway', 'ingest-broker']) {
    const { environment, stop_grace_period: period = '' } = services[name] ?? {};
    const delay = /:-(\d+)\}$/.exec(environment?.['STOP_DELAY_SECONDS'] ?? '')?.[1] ?? '0';
    expect([name, Number.parseInt(period, 10)]).toEqual([name, expect.any(Number)]);
    expect(Number.parseInt(period, 10)).toBeGreaterThan(Number(delay) + 12);
  }
});

test('the balancer answers on the ports of a single process, and leads to services that are there', () => {
  const published = services['whereabouts']?.ports?.filter((port) => !port.startsWith('127.0.0.1:'));
  expect(services['balancer']?.ports).toEqual(published);
  const bound = Array.from(balancer.matchAll(/^ +bind :(\d+)$/gm), ([, port]) => `${port}:${port}`);
  expect(bound).toEqual(services['balancer']?.ports);
  const behind = Array.from(balancer.matchAll(/^ +server-template \S+ \d+ (\S+):(\d+)$/gm), ([, name, port]) => [
    name,
    port,
  ]);
  expect(behind).toEqual([
    ['gateway', '3000'],
    ['gateway', '3000'],
    ['ingest-broker', '1883'],
    ['ingest-broker', '8883'],
  ]);
  // Neither is taken for the other when containers exchange addresses.
  const probed = Array.from(balancer.matchAll(/ check port (\d+) /g), ([, port]) => port);
  expect(probed).toEqual(['3001', '3001']);
});
