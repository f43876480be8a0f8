type Page<Row> = { data: readonly Row[]; total_count: number };

/** The most rows that the API returns in one page. */
const pageSize = 200;

/**
 * Yields the rows of a list, page by page: `eachRow((page) => client.listAssets({ query: { q: 'pallet', ...page } }))`.
 * The pages are not a snapshot. A row that is created or deleted meanwhile can move other rows to another page, so a
 * row can be yielded twice or missed.
 */
export async function* eachRow<Row>(
  readPage: (page: { limit: number; offset: number }) => Promise<Page<Row>>,
): AsyncGenerator<Row, void, undefined> {
  for (let offset = 0; ; offset += pageSize) {
    const { data, total_count: total } = await readPage({ limit: pageSize, offset });
    yield* data;
    if (data.length < pageSize || offset + pageSize >= total) return;
  }
}
