import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/project-root.js';
import { createTestFolder } from '../support/folder.js';
import { promtoolCheck } from '../support/promtool.js';

const folder = path.join(projectRoot(), 'deploy', 'prometheus');

test.each([
  ['config', 'prometheus.yml'],
  ['rules', 'alerts.yml'],
] as const)('Prometheus accepts the %s in deploy/prometheus', (what, file) => {
  const { code, output } = promtoolCheck(what, path.join(folder, file));
  expect(output).toMatch(/SUCCESS: \d+ rules found/);
  expect(code).toBe(0);
});

test('a rule that is no expression is found', () => {
  using copy = createTestFolder();
  copyFileSync(path.join(folder, 'prometheus.yml'), path.join(copy.path, 'prometheus.yml'));
  const rule = { alert: 'Broken', expr: 'rate(' };
  writeFileSync(path.join(copy.path, 'alerts.yml'), JSON.stringify({ groups: [{ name: 'broken', rules: [rule] }] }));
  expect(promtoolCheck('config', path.join(copy.path, 'prometheus.yml')).code).not.toBe(0);
});
