import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestFolder } from '../support/folder.js';

/** A `docker` that knows the commands of the script, keeps its containers in a file, and writes down what changes them. */
const docker = `
const { readFileSync, writeFileSync, appendFileSync } = require('node:fs');
const stateFile = process.env.FAKE_DOCKER + '/state.json';
const containers = JSON.parse(readFileSync(stateFile, 'utf8'));
const args = process.argv.slice(2);
const note = (line) => appendFileSync(process.env.FAKE_DOCKER + '/notes', line + '\\n');
const of = (service) => containers.filter((each) => each.service === service);
const last = args.at(-1);
if (args.includes('ps')) console.log(of(last).map(({ id }) => id).join('\\n'));
else if (args.includes('up')) {
  const wanted = Number(args[args.indexOf('--scale') + 1].split('=')[1]);
  for (let number = of(last).length; number < wanted; number += 1) {
    const id = 'new-' + last + '-' + containers.length + '-' + Date.now();
    containers.push({ id, service: last });
    note('start ' + last + ', ' + of(last).length + ' run');
  }
} else if (args[0] === 'inspect') console.log(process.env.HEALTH);
else if (args[0] === 'stop') note('stop ' + last);
else if (args[0] === 'rm') containers.splice(containers.findIndex(({ id }) => id === last), 1);
else if (args.includes('build')) note('build');
writeFileSync(stateFile, JSON.stringify(containers));
`;

function runScript(health: string) {
  using folder = createTestFolder();
  const program = path.join(folder.path, 'docker');
  writeFileSync(`${program}.cjs`, docker);
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${program}.cjs' "$@"\n`);
  chmodSync(program, 0o755);
  const ids = ['gateway-1', 'gateway-2', 'ingest-broker-1', 'ingest-broker-2'];
  const containers = ids.map((id) => ({ id, service: id.slice(0, -2) }));
  writeFileSync(path.join(folder.path, 'state.json'), JSON.stringify(containers));
  const { PATH = '' } = process.env;
  const env = {
    PATH: `${folder.path}:${PATH}`,
    FAKE_DOCKER: folder.path,
    HEALTH: health,
    HEALTHY_WITHIN_SECONDS: '0',
  };
  const script = path.join(projectRoot(), 'deploy', 'rolling-upgrade.sh');
  const { status, stderr } = spawnSync(script, [], { env, encoding: 'utf8' });
  const notes = readFileSync(path.join(folder.path, 'notes'), 'utf8').trim().split('\n');
  const left = JSON.parse(readFileSync(path.join(folder.path, 'state.json'), 'utf8')) as { id: string }[];
  return { status, stderr, notes, left: left.map(({ id }) => id) };
}

test('the script starts each successor before it stops a process', () => {
  const { status, stderr, notes, left } = runScript('healthy');
  expect([status, stderr]).toEqual([0, '']);
  expect(notes).toEqual([
    'build',
    'start gateway, 3 run',
    'stop gateway-1',
    'start gateway, 3 run',
    'stop gateway-2',
    'start ingest-broker, 3 run',
    'stop ingest-broker-1',
    'start ingest-broker, 3 run',
    'stop ingest-broker-2',
  ]);
  expect(left.filter((id) => !id.startsWith('new-'))).toEqual([]);
});

test('the script stops no process if its successor does not become healthy', () => {
  const { status, stderr, notes, left } = runScript('starting');
  expect(status).toBe(1);
  expect(stderr).toContain('is not healthy after 0 seconds');
  expect(notes).toEqual(['build', 'start gateway, 3 run']);
  expect(left).toEqual(expect.arrayContaining(['gateway-1', 'gateway-2']));
});
