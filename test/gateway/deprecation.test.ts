import { expect, test } from 'vitest';
import { z } from 'zod';
import { createHealth } from '../../gateway/health.js';
import { createGateway } from '../../gateway/index.js';
import type { AppRouter } from '../../server/index.js';
import { createLog } from '../../server/kernel/log.js';
import { described, router, scopedProcedure } from '../../server/trpc.js';
import { sharedWorld } from '../support/world.js';

// Contract 11: a deprecated route announces its removal and the date, and returns 410 afterwards.

const sunset = new Date('2030-06-01T00:00:00Z');

const retiring = router({
  retiring: scopedProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/api/v1/old',
        operationId: 'readOld',
        summary: 'On its way out',
        description: 'Answers until its sunset.',
        tags: ['assets'],
      },
      scopes: [],
      deprecation: { sunset },
      schemas: { response: 'OldResponse' },
    })
    .input(z.strictObject({}))
    .output(described(z.object({ data: z.string() })))
    .query(() => ({ data: 'still here' })),
}) as unknown as AppRouter;

const world = await sharedWorld();

async function readOld(nowMs: number): Promise<Response> {
  const log = createLog('silent');
  const { settings } = world;
  const core = { ...world.core, router: retiring };
  const health = createHealth({ core, settings, log, probes: { brokerListening: () => true } });
  const gateway = createGateway({ core, settings, log, health, now: () => nowMs });
  const { port } = await gateway.listen();
  const { token } = await world.organization();
  try {
    return await fetch(`http://127.0.0.1:${port}/api/v1/old`, {
      headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
    });
  } finally {
    await gateway.close();
  }
}

test('a deprecated route answers until its sunset and announces it', async () => {
  const answer = await readOld(sunset.getTime() - 1);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ data: 'still here' });
  expect(answer.headers.get('Deprecation')).toBe('true');
  expect(answer.headers.get('Sunset')).toBe('Sat, 01 Jun 2030 00:00:00 GMT');
});

test('from its sunset on it is gone', async () => {
  const answer = await readOld(sunset.getTime());
  expect(answer.status).toBe(410);
  expect(await answer.json()).toMatchObject({ error: { type: 'gone', title: 'Gone', status: 410 } });
  expect(answer.headers.get('Sunset')).toBe('Sat, 01 Jun 2030 00:00:00 GMT');
});
