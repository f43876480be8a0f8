import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** Somebody else's site, which shows the app in a frame. */
async function openOtherSite(framed: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Other</title><iframe src="${framed}" name="app"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('no other site can show a page of the app in a frame', async () => {
  await using visitor = await world.visitor();
  visitor.problems.allow(/frame-ancestors|another origin|ERR_BLOCKED_BY_RESPONSE/);
  for (const path of ['/', '/sign-in', '/api/docs']) {
    const { url, server } = await openOtherSite(`${world.url}${path}`);
    try {
      const refused = visitor.page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
      await visitor.page.goto(url);
      await refused;
      expect(await visitor.page.frame('app')?.locator('#root').count()).toBe(0);
    } finally {
      server.close();
    }
  }
});

test('a script that somebody gets into a page does not run, and nothing it would send leaves', async () => {
  await using visitor = await world.visitor();
  const { page, problems } = visitor;
  problems.allow(/Content Security Policy|failed: csp/);
  await page.goto('/sign-in');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const directives = ['script-src-elem', 'script-src-attr', 'connect-src'];
  const outcome = await page.evaluate(async (expected) => {
    const refused: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective));
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="x:" onerror="window.ran = true"><a id="lure" href="javascript:window.ran = true">x</a>',
    );
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    document.getElementById('lure')?.click();
    await fetch('https://example.com/').catch(() => {});
    while (!expected.every((directive) => refused.includes(directive))) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return { ran: 'ran' in window, refused };
  }, directives);
  expect(outcome.ran).toBe(false);
  expect(outcome.refused).toEqual(expect.arrayContaining(directives));
});
