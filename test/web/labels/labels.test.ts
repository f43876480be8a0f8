import { describe, expect, it } from 'vitest';
import { codeShape } from '../../../web/labels/codes.js';
import { fitLines } from '../../../web/labels/fit-text.js';
import { labelFormats, labelsPerPage, pagesOf, cellAt } from '../../../web/labels/formats.js';
import { codeBox, isScannable, layoutOf } from '../../../web/labels/layout.js';
import { isChosen, parseLabelsSearch } from '../../../web/pages/labels/search.js';

describe('formats', () => {
  it.each(labelFormats)('$name stays on its page', (format) => {
    const { x, y } = cellAt(format, labelsPerPage(format) - 1);
    expect(x + format.label.width).toBeLessThanOrEqual(format.page.width + 0.001);
    expect(y + format.label.height).toBeLessThanOrEqual(format.page.height + 0.001);
  });

  it('go on after cells that are used up', () => {
    const [format] = labelFormats;
    const pages = pagesOf([1, 2, 3], format, 23);
    expect(pages).toHaveLength(2);
    expect(pages[0]?.indexOf(1)).toBe(23);
    expect(pages[1]).toEqual([2, 3]);
  });
});

describe('codes', () => {
  it('have the modules of their standard', () => {
    // 24 characters of the alphanumeric mode fit version 2, of 25 modules.
    expect(codeShape('qr', 'E28011700000020A1B2C3D4E')).toMatchObject({ width: 4 * 25, height: 4 * 25 });
    // Start, six characters, check: 11 modules each, and 13 of the stop.
    expect(codeShape('code128', 'A-0x y')?.width).toBe(2 * (8 * 11 + 13));
  });

  it('reject what they cannot encode, and what no scanner could distinguish', () => {
    expect(codeShape('code128', 'Zoë')).toBeUndefined();
    expect(codeShape('qr', 'x'.repeat(5000))).toBeUndefined();
    const roll = labelFormats[3] ?? labelFormats[0];
    const long = codeShape('code128', 'urn:epc:id:sgtin:0614141.812345.0');
    const short = codeShape('code128', 'A-00');
    expect(long && isScannable(roll, 'code128', long)).toBe(false);
    expect(short && isScannable(roll, 'code128', short)).toBe(true);
  });

  it.each(labelFormats)('and texts stay within a label of $name, with white around', (format) => {
    for (const kind of ['qr', 'code128'] as const) {
      const { code, text } = layoutOf(format, kind);
      const shape = codeShape(kind, 'A-00');
      if (!shape) throw new Error('no code');
      const black = codeBox(code, kind, shape);
      expect(black.x).toBeGreaterThan(code.x);
      for (const box of [code, text, black]) {
        expect(box.x + box.width).toBeLessThan(format.label.width);
        expect(box.y + box.height).toBeLessThan(format.label.height);
        expect(box.height).toBeGreaterThan(0);
      }
    }
  });
});

it('texts that are too long end in an ellipsis, and never within a character', () => {
  const measure = (text: string) => Array.from(new Intl.Segmenter().segment(text)).length;
  const room = { width: 10, lines: 2 };
  expect(fitLines('short', measure, room)).toEqual(['short']);
  expect(fitLines('two words here', measure, room)).toEqual(['two words', 'here']);
  expect(fitLines('one two three four five', measure, room)).toEqual(['one two', 'three fou…']);
  expect(fitLines('👩‍👩‍👧‍👦'.repeat(30), measure, { width: 3, lines: 1 })).toEqual([`${'👩‍👩‍👧‍👦'.repeat(2)}…`]);
  expect(fitLines('', measure, room)).toEqual([]);
});

it('the address says what the labels are for', () => {
  expect(parseLabelsSearch({ assets: '1,2' })).toEqual({ ids: '1,2' });
  expect(parseLabelsSearch({ locations: 7 })).toEqual({ kind: 'locations', ids: '7' });
  expect(parseLabelsSearch({ kind: 'locations', ids: [3, 4] })).toEqual({ kind: 'locations', ids: '3,4' });
  expect(parseLabelsSearch({ ids: '1;DROP', q: 5, location_id: -1 })).toEqual({ q: '5' });
  expect(isChosen(parseLabelsSearch({ kind: 'locations', all: 'maybe' }))).toBe(false);
  expect(isChosen(parseLabelsSearch({ kind: 'locations', all: true }))).toBe(true);
});
