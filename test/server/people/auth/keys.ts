import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../../server/people/auth/scopes.js';
import type { ServicesWorld } from '../../../support/caller.js';

/** A clock that stands still unless a test moves it. */
export function handClock() {
  const clock = { ms: Date.now(), now: () => clock.ms, elapsedMs: () => clock.ms };
  return clock;
}

type KeyWish = { scopes?: Scope[]; expiresAt?: Date; revokedAt?: Date };

/** Adds an API key, and returns its token. */
export async function addKey({ db, services }: ServicesWorld, orgId: number | null, wish: KeyWish = {}) {
  const { scopes = ['assets:read'], ...times } = wish;
  const key = await db.apiKey.create({ data: { id: randomUUID(), orgId, name: 'key', scopes, ...times } });
  return {
    id: key.id,
    token: await services.identity.signApiKey({ id: key.id, expiresAtMs: key.expiresAt?.getTime() ?? null }),
  };
}

export const silentLog = { warn: () => undefined };
