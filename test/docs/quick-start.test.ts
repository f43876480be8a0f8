import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createTestFolder } from '../support/folder.js';
import { piecesOf, readProjectFile } from './markdown.js';
import { openShell, type RunningTerminal, runInTerminal } from './terminals.js';

const tenMinutes = piecesOf(readProjectFile('docs', 'quick-start.md'));

/** For machines without `mosquitto-clients`: as much of `mosquitto_pub` as the quick start uses. */
const mosquittoPub = `#!/usr/bin/env node
const { createRequire } = require('node:module');
const mqtt = createRequire(${JSON.stringify(path.join(projectRoot(), 'package.json'))})('mqtt');
const flags = {};
for (let i = 2; i < process.argv.length; i += 2) flags[process.argv[i]] = process.argv[i + 1];
const { '-h': host, '-p': port, '-u': username, '-P': password, '-t': topic, '-m': message, '-q': qos } = flags;
mqtt.connectAsync('mqtt://' + host + ':' + port, { username, password, reconnectPeriod: 0 })
  .then(async (client) => {
    await client.publishAsync(topic, message, { qos: Number(qos) });
    await client.endAsync();
  })
  .catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
`;

/** The commands as they stand, with the ports that this service was given. */
function withPorts(commands: string, greeting: string): string {
  const [http = '', mqtt = ''] = ['http', 'mqtt'].map((scheme) => greeting.match(`${scheme}://localhost:(\\d+)`)?.[1]);
  return commands.replaceAll('localhost:3000', `localhost:${http}`).replaceAll('-p 1883', `-p ${mqtt}`);
}

/** Every port and every instant by one name, since no two runs have the same. */
function withoutTheRun(text: string): string {
  return text
    .replaceAll(/localhost:\d+/g, 'localhost:PORT')
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, 'INSTANT');
}

test('the first ten minutes go as the quick start says', { timeout: 120_000 }, async () => {
  using folder = createTestFolder('first ten minutes');
  const programs = path.join(folder.path, 'programs');
  mkdirSync(programs);
  writeFileSync(path.join(programs, 'mosquitto_pub'), mosquittoPub);
  chmodSync(path.join(programs, 'mosquitto_pub'), 0o755);
  const { PATH = '', HOME = folder.path } = process.env;
  const env = {
    // Last in the path: where the real one is installed, that one is used.
    PATH: `${PATH}${path.delimiter}${programs}`,
    HOME,
    PORT: '0',
    MQTT_PORT: '0',
    DATA_DIR: path.join(folder.path, 'data'),
  };
  await using shell = openShell({ cwd: projectRoot(), env, scratch: folder.path });
  let start = '';
  let service: RunningTerminal | undefined;
  let greeting = '';
  let printed = '';
  const shown: string[] = [];

  async function startService(): Promise<void> {
    service = runInTerminal(start, { cwd: projectRoot(), env });
    greeting = await service.printed('Its data is in ');
  }

  try {
    for (const { kind, language, text } of tenMinutes) {
      if (language === 'sh' && start === '') {
        start = text.trim();
        await startService();
      } else if (language === 'sh') {
        printed = await shell.run(withPorts(text, greeting));
      } else if (language === 'json') {
        expect(JSON.parse(withoutTheRun(printed))).toEqual(JSON.parse(withoutTheRun(text)));
        shown.push(printed);
      } else if (language === 'text') {
        expect(withoutTheRun(greeting)).toContain(withoutTheRun(text));
      } else if (kind === 'text' && text.includes('Press Ctrl-C')) {
        await service?.pressCtrlC();
        await startService();
      }
    }
  } finally {
    await service?.pressCtrlC();
  }
  expect(start).toBe('npm start');
  expect(shown).toHaveLength(2);
  expect(printed).toBe(shown.join(''));
});
