import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { sendRaw } from '../support/raw-http.js';
import { createWorld, sharedWorld, type World } from '../support/world.js';

const page = '<!doctype html><meta name="csp-nonce" nonce="%CSP_NONCE%"><title>The app</title>';
const docs = '<!doctype html><meta name="csp-nonce" nonce="%CSP_NONCE%"><title>The API</title>';
const script = `export const text = '${'much the same, '.repeat(200)}';\n`;

let folder: TestFolder;
let world: World;

/** What a build leaves behind, in small. */
function writeApp(folder: string): void {
  mkdirSync(path.join(folder, 'static'), { recursive: true });
  const files: Record<string, string | Buffer> = {
    'index.html': page,
    'docs.html': docs,
    'static/app-a1b2.js': script,
    'static/app-a1b2.js.br': brotliCompressSync(script),
    'static/app-a1b2.js.gz': gzipSync(script),
    'static/inter.woff2': Buffer.from([0, 1, 2]),
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'sw.js': 'self.skipWaiting();',
    'manifest.webmanifest': '{}',
    '.stamp': 'nobody may see this',
    'notes.md': 'nor this',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
}

beforeAll(async () => {
  folder = createTestFolder('web app');
  writeApp(path.join(folder.path, 'dist-web'));
  writeFileSync(path.join(folder.path, 'secret.txt'), 'above the folder');
  world = await createWorld({ webFolder: path.join(folder.path, 'dist-web') });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** A request as it stands, so that nothing tidies its path. */
async function ask(target: string, headers: Record<string, string> = {}, method = 'GET') {
  const lines = Object.entries({ Host: 'x', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const answer = await sendRaw(world.port, [`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`]);
  return { ...answer, header: (name: string) => answer.headers.get(name) };
}

function nonceOf(answer: Awaited<ReturnType<typeof ask>>): string {
  return /'nonce-([^']+)'/.exec(answer.header('content-security-policy') ?? '')?.[1] ?? '';
}

describe('a page', () => {
  test.each(['/', '/assets', '/assets/42', '/no/such/page', '/assets?q=a.b&sort=-name', '/index.html', '/trpcs'])(
    'is what %s answers with',
    async (target) => {
      const answer = await ask(target);
      expect(answer.status).toBe(200);
      expect(answer.header('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.header('cache-control')).toBe('no-cache');
      expect(answer.body).toContain('The app');
    },
  );

  test('has a policy that lets nothing in from elsewhere, and nothing inline but by its own nonce', async () => {
    const answer = await ask('/');
    const policy = new Map(
      (answer.header('content-security-policy') ?? '').split('; ').map((part): [string, string] => {
        const [name = '', ...sources] = part.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': "'none'",
      'script-src': "'self' 'wasm-unsafe-eval'",
      'style-src': `'self' 'nonce-${nonceOf(answer)}'`,
      'img-src': "'self' data: blob:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'manifest-src': "'self'",
      'worker-src': "'self'",
      'media-src': "'self' blob:",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    });
    expect(answer.body).toBe(page.replace('%CSP_NONCE%', nonceOf(answer)));
  });

  test('has an unguessable nonce, another one each time', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 20; i += 1) nonces.add(nonceOf(await ask('/')));
    expect(nonces.size).toBe(20);
    for (const nonce of nonces) expect(Buffer.from(nonce, 'base64').length).toBeGreaterThanOrEqual(16);
  });

  test('sets the security headers that browsers do not assume', async () => {
    const answer = await ask('/');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(/^camera=\(self\), .*geolocation=\(\).*microphone=\(\)/),
    });
    expect(answer.header('strict-transport-security')).toBeUndefined();
    expect(answer.header('x-request-id')).toMatch(/^[0-9A-Z]{26}$/);
    expect(answer.header('x-ratelimit-limit')).toBeUndefined();
  });

  test('answers HEAD with the same head and nothing else', async () => {
    const [get, head] = [await ask('/assets'), await ask('/assets', {}, 'HEAD')];
    expect(head.status).toBe(200);
    expect(head.header('content-length')).toBe(get.header('content-length'));
    expect([...head.headers.keys()]).toEqual([...get.headers.keys()]);
    expect(head.text.endsWith('\r\n\r\n')).toBe(true);
  });

  test('is an unknown route for other methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await ask('/assets', { 'Content-Length': '0' }, method);
      expect([method, answer.status]).toEqual([method, 404]);
    }
  });
});

test('the description has a page of its own, which needs no WebAssembly', async () => {
  const answer = await ask('/api/docs');
  expect(answer.status).toBe(200);
  expect(answer.body).toContain('The API');
  expect(answer.header('content-security-policy')).toContain("script-src 'self';");
  expect((await ask('/api/docs/')).status).toBe(404);
  expect((await ask('/docs.html')).status).toBe(404);
  expect((await ask('/api/docs', { 'Content-Length': '0' }, 'POST')).status).toBe(404);
});

describe('a file', () => {
  test('with a hash in its name is kept forever, and any other is asked for again', async () => {
    const kept: Record<string, string> = {
      '/static/app-a1b2.js': 'public, max-age=31536000, immutable',
      '/static/inter.woff2': 'public, max-age=31536000, immutable',
      '/favicon.svg': 'public, max-age=3600',
      '/sw.js': 'no-cache',
      '/manifest.webmanifest': 'no-cache',
    };
    for (const [target, cacheControl] of Object.entries(kept)) {
      const answer = await ask(target);
      expect([target, answer.status, answer.header('cache-control')]).toEqual([target, 200, cacheControl]);
    }
  });

  test('has its content type, and browsers may not guess another', async () => {
    const types: Record<string, string> = {
      '/static/app-a1b2.js': 'text/javascript; charset=utf-8',
      '/static/inter.woff2': 'font/woff2',
      '/favicon.svg': 'image/svg+xml',
      '/manifest.webmanifest': 'application/manifest+json',
    };
    for (const [target, type] of Object.entries(types)) {
      const answer = await ask(target);
      expect([target, answer.header('content-type')]).toEqual([target, type]);
      expect(answer.header('x-content-type-options')).toBe('nosniff');
      expect(answer.header('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=0.1', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['', undefined],
  ])('for a client that accepts "%s" is compressed as %s', async (accepted, encoding) => {
    const answer = await ask('/static/app-a1b2.js', { 'Accept-Encoding': accepted });
    expect(answer.header('content-encoding')).toBe(encoding);
    expect(answer.header('vary')).toBe('Accept-Encoding');
    const bytes = Buffer.from(answer.body, 'latin1');
    expect(bytes.length).toBe(Number(answer.header('content-length')));
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((packed: Buffer) => packed);
    expect(unpack(bytes).toString()).toBe(script);
  });

  test('that a browser still has is not sent again', async () => {
    const etag = (await ask('/favicon.svg')).header('etag') ?? '';
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await ask('/favicon.svg', { 'If-None-Match': condition });
      expect([condition, again.status, again.body]).toEqual([condition, 304, '']);
    }
    expect((await ask('/favicon.svg', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test.each([
    '/static/gone-c3d4.js',
    '/assets/42.json',
    '/.stamp',
    '/.env',
    '/notes.md',
    '/static/app-a1b2.js.br',
    '/secret.txt',
    '/../secret.txt',
    '/static/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    String.raw`/..\secret.txt`,
    '/static/%00.js',
    '//secret.txt',
  ])('is not served for %s if it is not of the app', async (target) => {
    const answer = await ask(target);
    expect(answer.status).toBe(404);
    expect(answer.header('content-type')).toBe('application/json');
    expect(answer.body).not.toContain('above the folder');
  });
});

test('paths outside of the app are answered as without it', async () => {
  const bare = await sharedWorld();
  for (const target of ['/api', '/api/v1', '/api/v1/assets', '/api/nothing', '/trpc', '/healthz/deep', '/metrics/x']) {
    const answer = await world.anonymous.get(target);
    const before = await bare.anonymous.get(target);
    expect([target, answer.status, answer.headers['content-type']]).toEqual([
      target,
      before.status,
      before.headers['content-type'],
    ]);
    expect(answer.headers['content-security-policy']).toBeUndefined();
  }
  expect((await bare.anonymous.get('/')).status).toBe(404);
  expect((await bare.anonymous.get('/api/docs')).status).toBe(404);
  expect((await world.anonymous.get('/healthz')).text).toBe('{"status":"ok"}');
  expect((await world.anonymous.get('/openapi.json')).status).toBe(301);
});

test('answers of procedures are not cached, and have one content type for browsers', async () => {
  const answer = await ask('/trpc/session.me');
  expect(answer.header('cache-control')).toBe('no-store');
  expect(answer.header('x-content-type-options')).toBe('nosniff');
});

test('browsers that came over HTTPS keep to it', async () => {
  await using https = await createWorld({
    settings: { baseUrl: 'https://things.example.com' },
    webFolder: path.join(folder.path, 'dist-web'),
  });
  const { headers } = await https.anonymous.get('/');
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

test('a folder without a build serves no app', async () => {
  await using without = await createWorld({ webFolder: path.join(folder.path, 'nowhere') });
  expect((await without.anonymous.get('/')).status).toBe(404);
});
