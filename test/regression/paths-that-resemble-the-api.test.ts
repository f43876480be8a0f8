import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { sendRaw } from '../support/raw-http.js';
import { createWorld, type World } from '../support/world.js';

let folder: TestFolder;
let world: World;

beforeAll(async () => {
  folder = createTestFolder('paths like those of the API');
  const webFolder = path.join(folder.path, 'dist-web');
  mkdirSync(webFolder);
  writeFileSync(path.join(webFolder, 'index.html'), '<!doctype html><title>The app</title>');
  world = await createWorld({ webFolder });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function answerTo(method: string, target: string) {
  return sendRaw(world.port, [`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]);
}

test.each([
  '//api/v1/assets',
  '///api/v1/assets',
  '/API/v1/assets',
  '/Api/V1/assets',
  '/API',
  '/%61pi/v1/assets',
  '/api%2Fv1%2Fassets',
  String.raw`/api\v1\assets`,
  '/API/v1/%zz',
])('%s is an unknown route, not a page of the app', async (target) => {
  for (const query of ['', '?limit=1']) {
    const { status, headers, body } = await answerTo('GET', target + query);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json']);
    expect(headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
    const { error } = JSON.parse(body) as { error: object };
    expect(error).toMatchObject({ type: 'not_found', detail: `Unknown API route: ${target}`, instance: target });
  }
  expect(await answerTo('HEAD', target)).toMatchObject({ status: 404, body: '' });
});

test.each(['/api-keys', '/APIs', '/assets/api', '/api1'])('%s is a page of the app', async (target) => {
  expect(await answerTo('GET', target)).toMatchObject({ status: 200, body: expect.stringContaining('The app') });
});
