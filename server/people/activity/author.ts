import { Prisma } from '../../../generated/prisma/client.js';
import type { Actor } from '../actor.js';

/** The origin of a change: the web app, the public API with a key, an imported file, or the service itself. */
export const entryPoints = ['app', 'api', 'import', 'system'] as const;

export type EntryPoint = (typeof entryPoints)[number];

/**
 * Who makes a change, as the activity log stores it. `actor` is `user:` or `key:` and an id. Changes with the same `batchId` are
 * undone together.
 */
export type Author = { entryPoint: Exclude<EntryPoint, 'system'>; actor: string; batchId?: string };

/** The author of changes that the service makes by itself. */
export const system: { entryPoint: 'system'; actor: null; batchId?: undefined } = { entryPoint: 'system', actor: null };

/** Returns the author of changes by a caller with a credential. */
export function authorOf(actor: Exclude<Actor, { kind: 'none' }>): Author {
  return actor.kind === 'key'
    ? { entryPoint: 'api', actor: `key:${actor.keyId}` }
    : { entryPoint: 'app', actor: `user:${actor.userId}` };
}

/**
 * Returns an SQL condition that is always true and sets the author of the changes of its statement, until the end of
 * the transaction. The triggers of the activity log read the author. So a change with one statement needs no
 * transaction with its round trips.
 */
export function authoredBy({ entryPoint, actor, batchId }: Author): Prisma.Sql {
  const author = [entryPoint, actor, ...(batchId === undefined ? [] : [batchId])].join(' ');
  return Prisma.sql`(SELECT set_config('whereabouts.author', ${author}, true)) IS NOT NULL`;
}

/** Returns a statement that sets the author of all following changes in the transaction. */
export function authorStatement(author: Author): Prisma.Sql {
  return Prisma.sql`SELECT ${authoredBy(author)}`;
}
