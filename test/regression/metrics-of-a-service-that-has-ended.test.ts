import { expect, test } from 'vitest';
import { createMetrics } from '../../gateway/metrics.js';
import { isStillThere } from '../support/garbage.js';

async function pageOfShortService(): Promise<{ body: string; read: WeakRef<object> }> {
  const service = { connections: 3 };
  const metrics = createMetrics({ processMetrics: true });
  metrics.gauge({ name: 'connections', help: 'Open connections' }, () => service.connections);
  const { body } = await metrics.page();
  return { body, read: new WeakRef(service) };
}

test('what the metrics of a service read is released with the service', async () => {
  const { body, read } = await pageOfShortService();
  expect(body).toContain('connections 3');
  expect(body).toContain('nodejs_gc_duration_seconds');
  await expect.poll(() => isStillThere(read)).toBe(false);
});
