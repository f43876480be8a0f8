import { describe, expect, it } from 'vitest';
import { createSharedAnswers } from '../../../server/kernel/shared-answers.js';

describe('shared answers', () => {
  function world() {
    const clock = { ms: 0 };
    const rows = createSharedAnswers<string>({ keptMs: 900, entriesMax: 10, elapsedMs: () => clock.ms });
    const reads: ((row: string | Error) => void)[] = [];
    const get = () =>
      rows.get('key', () => {
        return new Promise((resolve, reject) => {
          reads.push((row) => (row instanceof Error ? reject(row) : resolve(row)));
        });
      });
    return { clock, rows, reads, get };
  }

  it('count their age from before they were asked for, so that a slow answer is shared by nobody who comes late', async () => {
    const { clock, reads, get } = world();
    const slow = get();
    clock.ms = 900;
    const late = get();
    reads[1]?.('new');
    reads[0]?.('old');
    expect(await slow).toBe('old');
    expect(await late).toBe('new');
    expect(await get()).toBe('new');
  });

  it('forget an answer that is still being found', async () => {
    const { rows, reads, get } = world();
    const before = get();
    rows.forget('key');
    const after = get();
    reads[0]?.('old');
    reads[1]?.('new');
    expect(await before).toBe('old');
    expect(await after).toBe('new');
    expect(await get()).toBe('new');
  });
});
