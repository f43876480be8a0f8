import type { Context } from '../../context.js';
import type { Actor } from '../../people/actor.js';
import { scopesOfRole } from '../../people/auth/scopes.js';
import { assetsRouter } from '../../things/assets/router.js';
import { reportsRouter } from '../../tracking/reports/router.js';
import { visitsRouter } from '../../tracking/visits/router.js';
import { createCallerFactory, router } from '../../trpc.js';
import type { ClaimedEmail } from './delivery-queries.js';

const callerFor = createCallerFactory(router({ assets: assetsRouter, reports: reportsRouter, visits: visitsRouter }));

/** The procedures that emails are made with, called as their recipient. */
export type SubjectApi = ReturnType<typeof callerFor>;

export type ContextFor = (caller: { actor: Actor; requestId: string; clientAddress: string }) => Context;

/** Returns the procedures for a recipient, with the role that the person has now. */
export function apiOf(contextFor: ContextFor, email: ClaimedEmail): SubjectApi {
  const { id, org_id: orgId, user_id: userId, role } = email;
  const requestId = `scheduled-email-${id}`;
  const actor: Actor = {
    kind: 'session',
    sessionId: requestId,
    userId,
    orgId,
    role,
    scopes: scopesOfRole[role],
    expiresAtMs: Number.POSITIVE_INFINITY,
  };
  return callerFor(contextFor({ actor, requestId, clientAddress: '' }));
}
