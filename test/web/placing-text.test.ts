import { expect, test } from 'vitest';
import { containedText } from '../../web/pages/scan/contained-result.js';
import { placingText, sentScanOf } from '../../web/pages/scan/placing-text.js';
import type { ScanBatch, ScanPlace, SubmitResult } from '../../web/scanning/batch.js';

const [store, ward] = [
  { id: 1, name: 'Store 3B' },
  { id: 2, name: 'Ward 3A' },
];
const cart = { id: 1, name: 'Cart 7', is: 'container' } as const;
const out = { id: 0, name: 'Take out', is: 'out' } as const;
const base = { owner: '1/1', place: store, observedAt: '2026-06-01T08:00:00.000Z', maybeStored: false };
const reads = [{ value: 'E280AA' }];
const open: ScanBatch = { ...base, id: 'b', reads, state: 'open' };
const nothing = { open: undefined, waiting: [], refused: [], sent: [] };

function sent(result: SubmitResult, undone: number[] = []): ScanBatch {
  return { ...base, id: 'a', reads, state: 'sent', sentAt: base.observedAt, results: [result], undone };
}

test.each([
  [{ where: ward }, store, 'Will be moved from Ward 3A to Store 3B'],
  [{ where: store }, store, 'Stays at Store 3B'],
  [{ where: null }, store, 'Will be recorded at Store 3B'],
  // An unknown tag before it may be another location.
  [{ where: ward }, undefined, 'Will be recorded when sent'],
  [undefined, store, 'Will be identified when sent'],
  [{ where: ward }, cart, 'Will be put into Cart 7'],
  [{ where: ward }, out, 'Will be taken out'],
])('before it is sent, the scan of %j at %j says: %s', (asset, to, text) => {
  const placing = { value: 'E280AA', ...(asset && { asset }), ...(to && { to }) };
  expect(placingText(placing, sentScanOf('E280AA', { ...nothing, open }))).toBe(text);
  const again = sentScanOf('E280AA', { ...nothing, open, sent: [sent({ status: 'unknown' })] });
  expect(placingText(placing, again)).toBe(text);
});

const placed = { status: 'placed', asset_id: 7 } as const;

test.each<[SubmitResult, string]>([
  [{ ...placed, from: ward }, 'Moved from Ward 3A to Store 3B'],
  [{ ...placed, from: store, at: ward }, 'Moved from Store 3B to Ward 3A'],
  [placed, 'Recorded at Store 3B'],
  [{ ...placed, from: ward, stays_at: ward }, 'Not moved: seen later at Ward 3A'],
  [{ status: 'unknown' }, 'Not assigned to an asset. It will be listed in Unknown tags.'],
  [{ status: 'location', location: ward }, 'This is a location. The scans after it were recorded there.'],
])('after it is sent, the answer %j says: %s', (result, text) => {
  const scan = sentScanOf('E280AA', { ...nothing, sent: [sent(result)] });
  expect(placingText({ value: 'E280AA', asset: { where: ward }, to: store }, scan)).toBe(text);
});

const done = { status: 'done', asset_id: 7, from: null } as const;
const box = { id: 9, name: 'Box 3', external_key: 'BOX-3' };

test.each<[Parameters<typeof containedText>[0]['result'], ScanPlace, string]>([
  [{ ...done, was_in: null }, cart, 'Put into Cart 7'],
  [{ ...done, was_in: box }, cart, 'Moved from Box 3 into Cart 7'],
  [{ ...done, was_in: box }, out, 'Taken out of Box 3'],
  [
    { status: 'failed', asset_id: 7, reason: 'in_itself' },
    cart,
    'An asset can’t be put into itself, or into what is in it.',
  ],
])('of a container, the answer %j says at %j: %s', (result, place, text) => {
  expect(containedText({ result, place, isUndone: false })).toBe(text);
});

test('after an undo it says where the asset is again', () => {
  const scan = sentScanOf('E280AA', { ...nothing, sent: [sent({ ...placed, from: ward }, [0])] });
  expect(placingText({ value: 'E280AA', to: store }, scan)).toBe('Undone: back at Ward 3A');
});
