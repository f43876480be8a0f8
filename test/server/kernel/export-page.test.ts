import { expect, test } from 'vitest';
import { type Part, readExportPage } from '../../../server/kernel/export-page.js';

const halfMegabyte = 524_288;
const keyOf = (index: number) => String(index).padStart(4, '0');

/** Rows of the given sizes, and which parts of them were read. */
function rowsOf(sizes: readonly number[]) {
  const rows = sizes.map((size, index) => ({ external_key: keyOf(index), size }));
  const parts: Part[] = [];
  async function readPart(part: Part) {
    parts.push(part);
    let bytes = 0;
    return rows
      .filter(({ external_key: key }) => key > part.after)
      .slice(0, part.limit)
      .map((row) => ({ ...row, bytes: (bytes += row.size) }))
      .filter((row) => row.bytes - row.size < part.bytesMax);
  }
  return { parts, readPart };
}

async function pagesOf(sizes: readonly number[], limit = 1000): Promise<string[][]> {
  const { readPart } = rowsOf(sizes);
  const pages: string[][] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<typeof readExportPage>> = await readExportPage({ after, limit }, readPart);
    pages.push(page.rows.map(({ external_key: key }) => key));
    after = page.next;
  }
  return pages;
}

test.each([
  ['small rows', Array(2500).fill(10), [1000, 1000, 500]],
  ['as many rows as a page has', Array(1000).fill(10), [1000, 0]],
  ['large rows', Array(100).fill(20_000), [27, 27, 27, 19]],
  ['large rows after small ones', [...Array(150).fill(10), ...Array(60).fill(20_000)], [177, 27, 6]],
  ['rows larger than a page', Array(3).fill(1_000_000), [1, 1, 1, 0]],
  ['no rows', [], [0]],
])('an export of %s has every row once, in pages of half a megabyte', async (_, sizes: number[], lengths) => {
  const pages = await pagesOf(sizes);
  expect(pages.flat()).toEqual(sizes.map((__, index) => keyOf(index)));
  expect(pages.map((page) => page.length)).toEqual(lengths);
});

test('a page of large rows measures few rows that it leaves out', async () => {
  const { parts, readPart } = rowsOf(Array(2000).fill(halfMegabyte / 32));
  const { rows } = await readExportPage({ after: '', limit: 1000 }, readPart);
  expect(rows).toHaveLength(32);
  expect(parts).toMatchObject([{ limit: 50 }]);
});
