import { Prisma } from '../../generated/prisma/client.js';
import type { Actor } from '../actor.js';

/** How a change came in: the web app, the public API with a key, a file that was imported, or by the service itself. */
export const entryPoints = ['app', 'api', 'import', 'system'] as const;

export type EntryPoint = (typeof entryPoints)[number];

/** Who makes a change, as the activity log stores it. `actor` is `user:` or `key:` and an id. */
export type Author = { entryPoint: Exclude<EntryPoint, 'system'>; actor: string };

/** The author of what the service changes by itself. */
export const system = { entryPoint: 'system', actor: null } as const;

/** Returns the author of what a caller with a credential changes. */
export function authorOf(actor: Exclude<Actor, { kind: 'none' }>): Author {
  return actor.kind === 'key'
    ? { entryPoint: 'api', actor: `key:${actor.keyId}` }
    : { entryPoint: 'app', actor: `user:${actor.userId}` };
}

/**
 * A condition that always holds. It names the author of the changes that its statement makes, until the end of the
 * transaction; the triggers of the activity log read that. It saves a change of one statement the round trips of a transaction.
 */
export function authoredBy({ entryPoint, actor }: Author): Prisma.Sql {
  return Prisma.sql`(SELECT set_config('whereabouts.author', ${`${entryPoint} ${actor}`}, true)) IS NOT NULL`;
}

/** Names the author of all changes that follow in the transaction. */
export function authorStatement(author: Author): Prisma.Sql {
  return Prisma.sql`SELECT ${authoredBy(author)}`;
}
