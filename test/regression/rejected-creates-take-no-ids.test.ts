import { expect, test } from 'vitest';
import { sharedWorld } from '../support/world.js';

const tags = Array.from({ length: 100 }, (_, no) => ({ tag_type: 'rfid', value: `TAG-${no}` }));

test('creates that are rejected for a key or a tag take no ids from the sequences that all organizations share', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  for (const path of ['/api/v1/assets', '/api/v1/locations']) {
    const kind = path.endsWith('assets') ? 'asset' : 'location';
    const last = { tag_type: 'barcode', value: `LAST-${kind}` };
    const first = await organization.post(path, { name: 'n', external_key: 'K', tags: [last] });
    expect(first.status).toBe(201);
    const before = first.body.data;
    const refused = [
      { body: { name: 'n', external_key: 'K', tags }, detail: /external_key|K/ },
      { body: { name: 'n', tags: [...tags.slice(1), last] }, detail: `tag barcode:LAST-${kind} already exists` },
      { body: { name: 'n', tags: [tags[0], tags[0]] }, detail: 'tag rfid:TAG-0 already exists' },
    ];
    for (const { body, detail } of refused) {
      const answer = await organization.post(path, body);
      expect([answer.status, answer.body.error.detail]).toEqual([409, expect.stringMatching(detail)]);
    }
    const next = { tag_type: 'barcode', value: `NEXT-${kind}` };
    const made = await organization.post(path, { name: 'n', tags: [next] });
    expect([made.body.data.id, made.body.data.tags[0].id]).toEqual([before.id + 1, before.tags[0].id + 1]);
  }
});
