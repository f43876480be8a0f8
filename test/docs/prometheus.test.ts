import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestFolder } from '../support/folder.js';
import { promtool } from '../support/promtool.js';
import { readProjectFile } from './markdown.js';

const folder = path.join(projectRoot(), 'deploy', 'prometheus');

test.each([
  ['config', 'prometheus.yml'],
  ['rules', 'alerts.yml'],
] as const)('Prometheus accepts the %s in deploy/prometheus', (what, file) => {
  const { code, output } = promtool('check', what, path.join(folder, file));
  expect(output).toMatch(/SUCCESS: \d+ rules found/);
  expect(code).toBe(0);
});

test('a rule that is no expression is found', () => {
  using copy = createTestFolder();
  copyFileSync(path.join(folder, 'prometheus.yml'), path.join(copy.path, 'prometheus.yml'));
  const rule = { alert: 'Broken', expr: 'rate(' };
  writeFileSync(path.join(copy.path, 'alerts.yml'), JSON.stringify({ groups: [{ name: 'broken', rules: [rule] }] }));
  expect(promtool('check', 'config', path.join(copy.path, 'prometheus.yml')).code).not.toBe(0);
});

/** For each alert, its metric with values of one minute each that make it fire. */
const firing: Record<string, [series: string, values: string]> = {
  WhereaboutsDown: ['up', '0x10'],
  WhereaboutsNoGateway: ['whereabouts_ready{role="ingest-broker"}', '1x10'],
  WhereaboutsNoIngest: ['whereabouts_ready{role="gateway"}', '1x10'],
  // Two processes, of which the second one ends.
  WhereaboutsFewerProcesses: ['whereabouts_ready{role="gateway",instance="two"}', '1x6 stale'],
  WhereaboutsNotReady: ['whereabouts_ready', '0x10'],
  WhereaboutsDiskLow: ['whereabouts_check_ok{check="disk"}', '0x10'],
  WhereaboutsServerErrors: ['http_request_duration_seconds_count{status="503"}', '0+60x20'],
  WhereaboutsReadsNotStored: ['whereabouts_ingest_waiting_messages', '1001x10'],
  WhereaboutsReadsRetried: ['whereabouts_ingest_retries_total', '0+30x10'],
  WhereaboutsReadsDropped: ['whereabouts_broker_dropped_messages_total', '0+1x20'],
  WhereaboutsRequestsWaiting: ['whereabouts_requests_waiting', '51x10'],
  WhereaboutsJobsLate: ['whereabouts_jobs_oldest_seconds', '61x20'],
  WhereaboutsExchangesHang: ['whereabouts_overdue_exchanges', '1x10'],
  WhereaboutsEventsWaiting: ['whereabouts_events_waiting', '10001x20'],
  WhereaboutsRedisDown: ['whereabouts_redis_up', '0x10'],
};

type Series = { series: string; values: string };

/** Runs the rules on series with one value a minute, and returns what promtool says. */
function runRules(tests: { series: readonly Series[]; expectations: readonly object[] }[]) {
  using copy = createTestFolder();
  const file = path.join(copy.path, 'tests.yml');
  const content = {
    rule_files: [path.join(folder, 'alerts.yml')],
    evaluation_interval: '1m',
    tests: tests.map(({ series, expectations }) => ({
      interval: '1m',
      input_series: series,
      promql_expr_test: expectations,
    })),
  };
  writeFileSync(file, JSON.stringify(content));
  return promtool('test', 'rules', file);
}

test('each alert rule fires', () => {
  const names = Array.from(
    readProjectFile('deploy', 'prometheus', 'alerts.yml').matchAll(/- alert: (\w+)/g),
    ([, name]) => name,
  );
  expect(Object.keys(firing)).toEqual(names);
  const { code, output } = runRules(
    Object.entries(firing).map(([alertname, [series, values]]) => ({
      series: [
        { series: labeled(series), values },
        ...(alertname === 'WhereaboutsFewerProcesses'
          ? [{ series: labeled('whereabouts_ready{role="gateway"}'), values: '1x20' }]
          : []),
      ],
      // What it says of the alert is not compared, only that there is one.
      expectations: [
        {
          expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"})`,
          eval_time: '10m',
          exp_samples: [{ labels: '{}', value: 1 }],
        },
      ],
    })),
  );
  expect(output).toContain('SUCCESS');
  expect(code).toBe(0);
});

/** Adds the labels that each target has, unless the series has its own. */
function labeled(series: string): string {
  const [name = '', labels = '}'] = series.split('{');
  const given = labels.slice(0, -1);
  return `${name}{job="whereabouts",${given.includes('instance=') ? given : [given, 'instance="one"'].filter(Boolean).join(',')}}`;
}

/** The names of the alerts that fire, by the minute, where minutes have others than those before. */
type Recording = { what: string; series: Series[]; fires: Record<string, readonly string[]> };

const of = (instance: string, role: string) => `{job="whereabouts",instance="${instance}",role="${role}"}`;
const ready = (instance: string, role: string, values: string): Series => ({
  series: `whereabouts_ready${of(instance, role)}`,
  values,
});
const up = (instance: string, values: string): Series => ({
  series: `up{job="whereabouts",instance="${instance}"}`,
  values,
});

// As Prometheus has recorded them: a process that does not answer has `up` 0 and no series of its own, and a stopped container, which
// leaves service discovery, has none at all.
const recordings: Recording[] = [
  {
    what: 'one process without its database for two minutes',
    series: [up('a', '1x20'), ready('a', 'all', '1x4 0x1 1x14')],
    fires: { '4m': [], '6m': ['WhereaboutsNotReady'], '9m': [] },
  },
  {
    what: 'processes without their database for two minutes, while reads wait',
    series: [
      up('g', '1x20'),
      ready('g', 'gateway', '1x4 0x1 1x14'),
      up('i', '1x20'),
      ready('i', 'ingest-broker', '1x4 0x1 1x14'),
      {
        series: 'whereabouts_ingest_retries_total{job="whereabouts",instance="i"}',
        values: '0x4 30 60 90x13',
      },
    ],
    fires: { '4m': [], '6m': ['WhereaboutsNotReady', 'WhereaboutsReadsRetried'], '12m': [] },
  },
  {
    what: 'one of two ingest containers stopped',
    series: [
      up('g', '1x20'),
      ready('g', 'gateway', '1x20'),
      up('i', '1x20'),
      ready('i', 'ingest-broker', '1x20'),
      up('j', '1x4 stale'),
      ready('j', 'ingest-broker', '1x4 stale'),
    ],
    fires: { '4m': [], '7m': ['WhereaboutsFewerProcesses'] },
  },
  {
    what: 'the only ingest container stopped',
    series: [
      up('g', '1x20'),
      ready('g', 'gateway', '1x20'),
      up('i', '1x4 stale'),
      ready('i', 'ingest-broker', '1x4 stale'),
    ],
    fires: { '4m': [], '7m': ['WhereaboutsNoIngest'] },
  },
  {
    what: 'the only process killed',
    series: [up('a', '1x4 0x15'), ready('a', 'all', '1x4 stale')],
    fires: { '4m': [], '7m': ['WhereaboutsDown', 'WhereaboutsNoGateway', 'WhereaboutsNoIngest'] },
  },
  {
    what: 'gateways replaced one after the other, with one more for a moment',
    series: [
      ready('i', 'ingest-broker', '1x20'),
      ready('a', 'gateway', '1x6 stale'),
      ready('b', 'gateway', '1x8 stale'),
      ready('c', 'gateway', '_x5 1x15'),
      ready('d', 'gateway', '_x7 1x13'),
    ],
    fires: { '4m': [], '7m': [], '9m': [], '12m': [], '16m': [] },
  },
];

test.each(recordings)('what the alert rules say of $what', ({ series, fires }) => {
  const expectations = Object.entries(fires).map(([at, names]) => ({
    expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: at,
    exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
  }));
  const { code, output } = runRules([{ series, expectations }]);
  expect(output).toContain('SUCCESS');
  expect(code).toBe(0);
});
