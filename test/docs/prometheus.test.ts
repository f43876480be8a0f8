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
  WhereaboutsServerErrors: ['http_request_duration_seconds_count{status="503"}', '0+60x20'],
  WhereaboutsReadsNotStored: ['whereabouts_ingest_waiting_messages', '1001x10'],
  WhereaboutsReadsDropped: ['whereabouts_broker_dropped_messages_total', '0+1x20'],
  WhereaboutsRequestsWaiting: ['whereabouts_requests_waiting', '51x10'],
  WhereaboutsJobsLate: ['whereabouts_jobs_oldest_seconds', '61x20'],
  WhereaboutsExchangesHang: ['whereabouts_overdue_exchanges', '1x10'],
  WhereaboutsClockJumped: ['whereabouts_clock_jumps_total', '0x5 1x5'],
  WhereaboutsEventsWaiting: ['whereabouts_events_waiting', '10001x20'],
  WhereaboutsRedisDown: ['whereabouts_redis_up', '0x10'],
};

test('each alert rule fires', () => {
  const names = Array.from(
    readProjectFile('deploy', 'prometheus', 'alerts.yml').matchAll(/- alert: (\w+)/g),
    ([, name]) => name,
  );
  expect(Object.keys(firing)).toEqual(names);
  using copy = createTestFolder();
  const tests = Object.entries(firing).map(([alertname, [series, values]]) => {
    const [name = '', labels = '}'] = series.split('{');
    const label = `${labels === '}' ? '' : `${labels.slice(0, -1)},`}job="whereabouts",instance="one"}`;
    return {
      interval: '1m',
      input_series: [{ series: `${name}{${label}`, values }],
      // What it says of the alert is not compared, only that there is one.
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"})`,
          eval_time: '10m',
          exp_samples: [{ labels: '{}', value: 1 }],
        },
      ],
    };
  });
  const file = path.join(copy.path, 'tests.yml');
  writeFileSync(
    file,
    JSON.stringify({ rule_files: [path.join(folder, 'alerts.yml')], evaluation_interval: '1m', tests }),
  );
  const { code, output } = promtool('test', 'rules', file);
  expect(output).toContain('SUCCESS');
  expect(code).toBe(0);
});
