import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';

function flagsOf(command: readonly string[]): string[] {
  return command.filter((word) => word.startsWith('--') && word !== '--enable-source-maps');
}

test('npm start, the image and the systemd unit collect the heap alike', () => {
  const read = (file: string) => readFileSync(path.join(projectRoot(), file), 'utf8');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  const command = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]';
  const flags = flagsOf(JSON.parse(command) as string[]);
  expect(flags).toEqual(flagsOf(scripts.start.split(' ')));
  const unit = /^ExecStart=(.*)$/m.exec(read('deploy/systemd/whereabouts.service'))?.[1] ?? '';
  expect(flags).toEqual(flagsOf(unit.split(' ')));
  expect(flags).not.toEqual([]);
});
