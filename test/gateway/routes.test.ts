import { describe, expect, test } from 'vitest';
import { createRoutes } from '../../gateway/routes.js';

const match = createRoutes([
  { method: 'GET', path: '/things' },
  { method: 'POST', path: '/things' },
  { method: 'PATCH', path: '/things/{thing_id}' },
  { method: 'GET', path: '/things/summary' },
  { method: 'GET', path: '/calls/*' },
  { method: 'POST', path: '/calls/health' },
]);

function found(path: string) {
  const { routes, allow, parameters } = match(path) ?? {};
  return routes && { path: [...routes.values()][0]?.path, allow, parameters };
}

describe('a path', () => {
  test('has the methods of its routes, and HEAD where it has GET', () => {
    expect(found('/things')?.allow).toBe('GET, HEAD, POST');
    expect(found('/things/7')?.allow).toBe('PATCH');
  });

  test('has parameters, without their escapes', () => {
    expect(found('/things/7')).toMatchObject({ path: '/things/{thing_id}', parameters: { thing_id: '7' } });
    expect(found('/things/a%20b')?.parameters).toEqual({ thing_id: 'a b' });
    expect(found('/things/%zz')?.parameters).toEqual({ thing_id: '%zz' });
  });

  test('with a name in place of a parameter has its own routes', () => {
    expect(found('/things/summary')).toMatchObject({ path: '/things/summary', parameters: {} });
  });

  test.each(['/', '/Things', '/things/', '/things/7/', '/things/7/8', '/call', '/call-s'])(
    '%s has no route if nothing is exactly there',
    (path) => expect(match(path)).toBeUndefined(),
  );

  test('below a route for all paths belongs to it, unless it has routes of its own', () => {
    for (const path of ['/calls', '/calls/', '/calls/one', '/calls/one/two', '/calls/health/deep'])
      expect(found(path)).toEqual({ path: '/calls/*', allow: 'GET, HEAD', parameters: {} });
    expect(found('/calls/health')).toMatchObject({ path: '/calls/health', allow: 'POST' });
  });
});
