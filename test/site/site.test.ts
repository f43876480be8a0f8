import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { searchOptions } from '../../site/client/search-options.js';
import { createSlugs } from '../../site/slugs.js';
import { createTestFolder, type TestFolder } from '../support/folder.js';
import { createWorld, type World } from '../support/world.js';

let folder: TestFolder;
let world: World;
/** The documents of the site, by their path below `/docs`. */
let pages: Map<string, string>;

beforeAll(async () => {
  folder = createTestFolder('site');
  const configFile = path.join(projectRoot(), 'site', 'vite.config.ts');
  await build({ configFile, logLevel: 'silent', build: { outDir: folder.path, emptyOutDir: true } });
  const names = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
  pages = new Map(
    names
      .filter((name) => name.endsWith('.html'))
      .map((name) => [
        name === 'index.html' ? '/docs' : `/docs/${name.replaceAll(path.sep, '/').replace(/\.html$/, '')}`,
        readFileSync(path.join(folder.path, name), 'utf8'),
      ]),
  );
  world = await createWorld({ docsFolder: folder.path });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function idsIn(html: string): Set<string> {
  return new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id));
}

test('every link and every picture of every page leads somewhere, to the very heading', async () => {
  const broken: string[] = [];
  const elsewhere = new Set<string>();
  for (const [pagePath, html] of pages) {
    for (const [, target = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const [address = '', fragment] = target.replaceAll('&amp;', '&').split('#');
      const page = address === '' ? html : pages.get(address);
      if (page === undefined && /^(?:https?:|mailto:)/.test(address)) continue;
      if (page === undefined) elsewhere.add(address);
      else if (fragment !== undefined && !idsIn(page).has(fragment)) broken.push(`${pagePath}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
  // What the app serves.
  const known = ['/', '/api/docs', '/favicon.svg', '/color-scheme.js'];
  for (const address of elsewhere) {
    if (known.includes(address)) continue;
    expect([address, (await world.anonymous.get(address)).status]).toEqual([address, 200]);
  }
  expect(pages.size).toBeGreaterThan(40);
});

test('pages load nothing from elsewhere, and nothing in them runs or styles inline', () => {
  for (const [pagePath, html] of pages) {
    expect([
      pagePath,
      html.match(/<script(?![^>]* src="\/)|<style|<[^>]+ (?:style|on[a-z]+)=|(?:src|srcset)="(?!\/)/gi),
    ]).toEqual([pagePath, null]);
    expect(html.match(/<link[^>]+href="(?!\/)/g)).toBeNull();
  }
});

test('the service answers with pages under their names, and with a page for what is missing', async () => {
  const home = await world.anonymous.get('/docs');
  expect([home.status, home.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = String(home.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|nonce|https?:/);
  expect(home.headers['x-content-type-options']).toBe('nosniff');
  expect(home.text).toContain('<title>Whereabouts documentation</title>');
  expect((await world.anonymous.get('/docs/')).text).toBe(home.text);
  const decision = await world.anonymous.get('/docs/decisions/0027-fair-queue');
  expect(decision.text).toContain('<h1 id="0027-');
  const unchanged = await world.anonymous.call('GET', '/docs', {
    headers: { 'If-None-Match': String(home.headers['etag']) },
  });
  expect(unchanged.status).toBe(304);
  for (const missing of ['/docs/nothing', '/docs/../secret', '/docs/index.html', '/docs/static/nothing.js']) {
    const answer = await world.anonymous.get(missing);
    expect([missing, answer.status]).toEqual([missing, 404]);
  }
  expect((await world.anonymous.get('/docs/nothing')).text).toContain('Page not found');
  expect((await world.anonymous.get('/documents')).status).toBe(404);
  // No path of the API is hidden by the site.
  expect((await world.anonymous.get('/api/v1/assets')).status).toBe(401);
});

test('the search index finds sections by words of their text', async () => {
  const address = /data-index="([^"]+)"/.exec(pages.get('/docs') ?? '')?.[1] ?? '';
  const index = MiniSearch.loadJSON((await world.anonymous.get(address)).text, searchOptions);
  const [found] = index.search('scan ingestion directly settable');
  expect(found).toMatchObject({ id: '/docs/contract#74-messages-of-fields', page: 'The public contract' });
  expect(index.search('quiet time').map(({ id }) => String(id))).toContain('/docs/alerts#hours-and-quiet-time');
  for (const { id } of index.search(MiniSearch.wildcard)) {
    const [page = '', fragment] = String(id).split('#');
    expect(pages.has(page)).toBe(true);
    if (fragment) expect(idsIn(pages.get(page) ?? '').has(fragment)).toBe(true);
  }
});

test.each([
  ['What an organization can have', 'what-an-organization-can-have'],
  ['5.6 Read-only fields', '56-read-only-fields'],
  ['`metadata_values`, and its keys', 'metadata_values-and-its-keys'],
  ['Größe & Maß', 'größe--maß'],
])('the anchor of "%s" is the one that GitHub makes', (heading, anchor) => {
  expect(createSlugs()(heading)).toBe(anchor);
});

test('a heading that comes twice has two anchors', () => {
  const slug = createSlugs();
  expect([slug('Limits'), slug('Limits')]).toEqual(['limits', 'limits-1']);
});
