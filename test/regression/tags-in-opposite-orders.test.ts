import { expect, it } from 'vitest';
import '../support/expect-error.js';
import { sharedWorld } from '../support/world.js';

const world = await sharedWorld();

// Each create held the tags that it had already stored, and waited for the tags of the other create: a deadlock.
it('creates that want the same tags in opposite orders do not lock each other out', async () => {
  const organization = await world.organization();
  for (let round = 0; round < 5; round += 1) {
    const list = Array.from({ length: 50 }, (_none, index) => ({ tag_type: 'ble', value: `${round} ${index}` }));
    const orders = [list, list.toReversed()];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        organization.post('/api/v1/assets', {
          name: 'n',
          external_key: `K-${round}-${index}`,
          tags: orders[index % 2],
        }),
      ),
    );
    const winners = answers.filter(({ status }) => status === 201);
    expect(winners, answers.map(({ text }) => text.slice(0, 200)).join('\n')).toHaveLength(1);
    const tags: { tag_type: string; value: string }[] = winners[0]?.body.data.tags ?? [];
    expect(orders).toContainEqual(tags.map(({ tag_type, value }) => ({ tag_type, value })));
    for (const loser of answers.filter((answer) => answer.status !== 201)) {
      expect(loser).toBeError({ type: 'conflict', detail: /^tag ble:\d \d+ already exists$/ });
    }
  }
  expect(await world.db.tag.count({ where: { orgId: organization.orgId } })).toBe(250);
});
