import { expect, test } from 'vitest';
import { createUnfinishedPackets } from '../../ingest-broker/unfinished-packets.js';

// A connection waited for its reader and for its organization. When the one let it go on, it still waited for the other, which called it
// again within the call, so that later packets of the connection could be handled before earlier ones.

test('a connection that waits for two budgets goes on once', () => {
  const { connect } = createUnfinishedPackets();
  let calls = 0;
  const first = connect(() => {});
  const second = connect(() => {
    calls += 1;
    if (second.mayGrow()) second.note(0);
  });
  for (const packet of [first, second]) packet.join({ readerId: 1, orgId: 1 });
  first.note(700_000);
  second.note(400_000);
  expect(second.mayGrow()).toBe(false);
  first.note(0);
  expect(calls).toBe(1);
});
