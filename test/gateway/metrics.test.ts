import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../gateway/metrics.js';

function linesOf(page: string, name: string): string[] {
  return page.split('\n').filter((line) => line.startsWith(name));
}

describe('createMetrics', () => {
  test('counts answered requests by operation, method and status, in seconds', async () => {
    const metrics = createMetrics({ processMetrics: false });
    metrics.observeRequest({ operation: 'getAsset', method: 'GET', status: 200, durationMs: 20 });
    metrics.observeRequest({ operation: 'getAsset', method: 'GET', status: 200, durationMs: 300 });
    metrics.observeRequest({ operation: 'getAsset', method: 'GET', status: 404, durationMs: 1 });
    const { body, contentType } = await metrics.page();
    expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
    const ok = 'operation="getAsset",method="GET",status="200"';
    const lines = linesOf(body, 'http_request_duration_seconds');
    expect(lines).toContain(`http_request_duration_seconds_bucket{le="0.01",${ok}} 0`);
    expect(lines).toContain(`http_request_duration_seconds_bucket{le="0.025",${ok}} 1`);
    expect(lines).toContain(`http_request_duration_seconds_bucket{le="0.5",${ok}} 2`);
    expect(lines).toContain(`http_request_duration_seconds_sum{${ok}} 0.32`);
    expect(lines).toContain('http_request_duration_seconds_count{operation="getAsset",method="GET",status="404"} 1');
  });

  test('gauges are asked each time somebody looks', async () => {
    const metrics = createMetrics({ processMetrics: false });
    let connections = 3;
    metrics.gauge({ name: 'connections', help: 'Open connections' }, () => connections);
    expect(linesOf((await metrics.page()).body, 'connections')).toStrictEqual(['connections 3']);
    connections = 7;
    expect(linesOf((await metrics.page()).body, 'connections')).toStrictEqual(['connections 7']);
  });

  test('instances share nothing', async () => {
    const [first, second] = [createMetrics({ processMetrics: true }), createMetrics({ processMetrics: false })];
    first.total({ name: 'reads_total', help: 'Reads' }, () => 1);
    second.total({ name: 'reads_total', help: 'Reads' }, () => 0);
    expect((await first.page()).body).toContain('process_resident_memory_bytes');
    expect((await second.page()).body).not.toContain('process_resident_memory_bytes');
    expect(linesOf((await second.page()).body, 'reads_total')).toStrictEqual(['reads_total 0']);
  });
});
