import type { Queries } from '../../kernel/database/client.js';

/** Returns the name of an organization; undefined if it was deleted. */
export async function findOrganizationName(db: Queries, orgId: number): Promise<string | undefined> {
  const rows = await db.$queryRaw<{ name: string }[]>`SELECT name FROM organizations WHERE id = ${orgId}::int`;
  return rows[0]?.name;
}
