import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestFolder } from '../support/folder.js';
import { addressIn, startService } from '../support/service-process.js';
import { readProjectFile, tableRowsOf } from './markdown.js';

const settings = new Set(
  tableRowsOf(readProjectFile('docs', 'settings.md')).map(([name = '']) => name.replaceAll('`', '')),
);
const manifest = (name: string) => readProjectFile('deploy', 'kubernetes', name);

type Container = {
  env?: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
} & Record<`${string}Probe`, { httpGet: { path: string; port: string } }>;
type Manifest = {
  kind: string;
  metadata: { name: string };
  spec: {
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    ingress?: {
      from?: { namespaceSelector: { matchLabels: Record<string, string> } }[];
      ports?: { port: number }[];
    }[];
    podSelector?: { matchLabels: Record<string, string> };
    template?: {
      metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
      spec: { terminationGracePeriodSeconds: number; containers: [Container] };
    };
  };
};

const kustomization = parse(manifest('kustomization.yaml')) as {
  resources: string[];
  configMapGenerator: [{ literals: string[] }];
};
const manifests = kustomization.resources.flatMap((file) =>
  parseAllDocuments(manifest(file)).map((document) => document.toJS() as Manifest),
);
const deployments = manifests.filter(({ kind }) => kind === 'Deployment');

test('the manifests set only what the service knows', () => {
  const literals = kustomization.configMapGenerator[0].literals.map((literal) => literal.split('=')[0]);
  const names = deployments.flatMap(({ spec }) => spec.template?.spec.containers[0].env?.map(({ name }) => name) ?? []);
  expect([...literals, ...names].filter((name = '') => !settings.has(name))).toEqual([]);
});

test('probes ask ports that the pods have, and pods have time to stop', () => {
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['gateway', 'ingest-broker']);
  for (const { spec } of deployments) {
    const pod = spec.template?.spec;
    const [container] = pod?.containers ?? [];
    const ports = container?.ports.map(({ name }) => name);
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
      expect(ports).toContain(container?.[probe]?.httpGet.port);
      expect(['/healthz', '/servez']).toContain(container?.[probe]?.httpGet.path);
    }
    const delay = container?.env?.find(({ name }) => name === 'STOP_DELAY_SECONDS')?.value ?? '0';
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(Number(delay) + 12);
  }
});

test('metrics have one port, which Prometheus asks and clients do not reach', () => {
  const metricsPort = kustomization.configMapGenerator[0].literals
    .find((literal) => literal.startsWith('METRICS_PORT='))
    ?.split('=')[1];
  for (const { spec } of deployments) {
    const [container] = spec.template?.spec.containers ?? [];
    expect(container?.ports.find(({ name }) => name === 'metrics')?.containerPort).toBe(Number(metricsPort));
    expect(spec.template?.metadata.annotations?.['prometheus.io/port']).toBe(metricsPort);
  }
  const opened = manifests
    .flatMap(({ kind, spec }) => (kind === 'NetworkPolicy' ? (spec.ingress ?? []) : []))
    .flatMap(({ from = [], ports = [] }) =>
      ports.flatMap(({ port }) => from.map((peer) => [Object.values(peer.namespaceSelector.matchLabels)[0], port])),
    );
  expect(opened).toEqual([
    ['ingress-nginx', 3000],
    ['monitoring', 9464],
    ['monitoring', 9464],
  ]);
  const scraping = parse(readProjectFile('deploy', 'prometheus', 'prometheus.yml')) as {
    scrape_configs: [{ job_name: string; static_configs: [{ targets: string[] }] }];
  };
  expect(scraping.scrape_configs[0]).toMatchObject({
    job_name: 'whereabouts',
    static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }],
  });
  const compose = parse(readProjectFile('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, unknown>; ports?: string[] }>;
  };
  expect(compose.services['whereabouts']?.ports).toContain(`127.0.0.1:${metricsPort}:${metricsPort}`);
  for (const name of ['whereabouts', 'gateway', 'ingest-broker']) {
    expect(String(compose.services[name]?.environment?.['METRICS_PORT'])).toBe(metricsPort);
  }
});

test('services, disruption budgets and network policies select pods that there are', () => {
  const selecting = manifests.filter(({ kind }) => ['Service', 'PodDisruptionBudget', 'NetworkPolicy'].includes(kind));
  const selected = selecting.map(
    ({ kind, spec }) =>
      spec.podSelector?.matchLabels ?? (kind === 'Service' ? spec.selector : spec.selector?.matchLabels),
  );
  expect(selected.length).toBeGreaterThan(4);
  expect(deployments.map(({ spec }) => spec.template?.metadata.labels)).toEqual(expect.arrayContaining(selected));
});

test('the unit for systemd starts the service as the image does', () => {
  const unit = readProjectFile('deploy', 'systemd', 'whereabouts.service');
  const command = /^CMD (\[.*\])$/m.exec(readProjectFile('Dockerfile'))?.[1] ?? '[]';
  expect(/^ExecStart=\/usr\/bin\/(.*)$/m.exec(unit)?.[1]?.split(' ')).toEqual(JSON.parse(command));
});

test('.env.example, installed as the environment file of the unit, overrides nothing that the unit sets', () => {
  const unit = readProjectFile('deploy', 'systemd', 'whereabouts.service');
  const ofUnit = Array.from(unit.matchAll(/^Environment=(.*)$/gm), ([, line = '']) => line.split(' '))
    .flat()
    .map((assignment) => assignment.split('=')[0]);
  const ofFile = new Set(Array.from(readProjectFile('.env.example').matchAll(/^(\w+)=/gm), ([, name]) => name));
  expect(ofUnit).toContain('DATA_DIR');
  expect(ofUnit.filter((name) => ofFile.has(name))).toEqual([]);
});

test('alert rules and the dashboard use metrics that the service exposes', async () => {
  using folder = createTestFolder();
  await using service = startService({ folder: folder.path });
  const address = addressIn(await service.ready, 'http');
  await fetch(`${address}/healthz`);
  const exposed = await (await fetch(`${address}/metrics`)).text();
  // Only where it is configured.
  const known = new Set(['whereabouts_redis_up']);
  for (const [, name = ''] of exposed.matchAll(/^# TYPE (\S+)/gm)) {
    for (const suffix of ['', '_count', '_bucket', '_sum']) known.add(`${name}${suffix}`);
  }
  const used = [
    ...readProjectFile('deploy', 'prometheus', 'alerts.yml').matchAll(
      /\b(?:whereabouts|http_request|process|nodejs)_\w+/g,
    ),
    ...readProjectFile('deploy', 'grafana', 'whereabouts.json').matchAll(
      /\b(?:whereabouts|http_request|process|nodejs)_\w+/g,
    ),
  ].map(([name]) => name);
  expect(used.length).toBeGreaterThan(15);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test('the files that the operator’s page names are there', () => {
  for (const [, link = ''] of readProjectFile('docs', 'operations.md').matchAll(/\]\((\.\.\/deploy\/[^)]+)\)/g)) {
    expect(existsSync(path.join(projectRoot(), 'docs', link)), link).toBe(true);
    expect(readFileSync(path.join(projectRoot(), 'docs', link)).length).toBeGreaterThan(0);
  }
});
