import { beforeAll, expect, it } from 'vitest';
import { sharedWorld, type TestOrganization } from '../support/world.js';
import { blocksOf, readProjectFile } from './markdown.js';

type Page = { data: { id: number; external_key: string }[] };
type ReadAll = (get: (path: string) => Promise<Page>) => Promise<Map<number, unknown>>;

const count = 1500;

const world = await sharedWorld();
let organization: TestOrganization;
beforeAll(async () => {
  organization = await world.organization();
  await world.db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
    SELECT ${organization.orgId}, 'A-' || lpad((n * 7919 % 100003)::text, 6, '0'), 'x', now() - interval '1 day', now(), now()
      FROM generate_series(1, ${count}::int) AS n`;
});

/** The function that the page shows. */
async function documentedReader(): Promise<ReadAll> {
  const [code = ''] = blocksOf(readProjectFile('docs', 'reading-everything.md'), 'js');
  const source = `${code}\nexport { readAllAssets };`;
  const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as { readAllAssets: ReadAll };
  return module.readAllAssets;
}

async function keys(): Promise<string[]> {
  const rows = await world.db.asset.findMany({
    where: { orgId: organization.orgId, deletedAt: null },
    select: { externalKey: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ externalKey }) => externalKey).sort();
}

it('the documented way reads every asset that is there all the time, while others come and go', async () => {
  const gone = new Set<string>();
  const before = await keys();
  let requests = 0;
  const readAllAssets = await documentedReader();
  const assets = await readAllAssets(async (url) => {
    requests += 1;
    // Deletions before, at and after the end of the page that was read last, and new assets before it.
    const present = await keys();
    for (const at of [
      0,
      1,
      2,
      150 * requests,
      199 * requests - 3,
      199 * requests - 2,
      199 * requests - 1,
      210 * requests,
    ]) {
      const key = present[at];
      const row = key && (await world.db.asset.findFirst({ where: { orgId: organization.orgId, externalKey: key } }));
      if (!key || !row || requests > 12) continue;
      gone.add(key);
      expect((await organization.delete(`/api/v1/assets/${row.id}`)).status).toBe(204);
    }
    if (requests % 3 === 0) await organization.post('/api/v1/assets', { name: 'New', external_key: `A--${requests}` });
    const answer = await organization.get(url);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Page;
  });
  const read = new Set([...assets.values()].map((asset) => (asset as { external_key: string }).external_key));
  expect(before.filter((key) => !gone.has(key) && !read.has(key))).toEqual([]);
  expect(gone.size).toBeGreaterThan(30);
  expect(requests).toBeLessThan(40);
});
