import { ContractError, refusal } from '../../kernel/errors.js';
import type { Actor } from '../actor.js';
import { type Role, roleIncludes, type Scope } from './scopes.js';

/** What a procedure needs of its caller. */
export type Needs = {
  /**
   * The scopes that a caller needs; an empty list for none. A public procedure without the list makes the start fail.
   */
  scopes?: readonly Scope[];
  /** Only API keys may call it (contract 3.3). */
  keysOnly?: true;
};

/** The actor with the organization that every statement is scoped to. */
export type ScopedActor = Exclude<Actor, { kind: 'none' }> & { orgId: number };

/**
 * Returns the actor if it is a person with at least the given role.
 *
 * @throws ContractError `unauthorized` without a session, `forbidden` for another role
 */
export function authorizePerson(actor: Actor, needed: Role): Extract<Actor, { kind: 'session' }> {
  if (actor.kind !== 'session') throw refusal('session_required');
  if (!roleIncludes(actor.role, needed)) throw refusal('role_missing', { role: needed });
  return actor;
}

/**
 * Rejects callers without a credential that a public procedure accepts (contract 6.1).
 *
 * @throws ContractError `unauthorized`
 */
export function requireCredential(
  actor: Actor,
  { keysOnly }: Needs,
): asserts actor is Exclude<Actor, { kind: 'none' }> {
  if (actor.kind === 'none') throw new ContractError('unauthorized', 'Missing authorization header');
  if (keysOnly && actor.kind !== 'key') throw new ContractError('unauthorized', 'API key authentication required');
}

/**
 * Decides whether an actor with a credential may call a public procedure.
 *
 * @throws ContractError `forbidden` naming the first missing scope, and `missing_org_context` for a key whose
 *   organization is gone (contract 6.3, 3.3)
 */
export function requireScopes(actor: Exclude<Actor, { kind: 'none' }>, { scopes = [] }: Needs): ScopedActor {
  for (const scope of scopes) if (!actor.scopes.has(scope)) throw refusal('scope_missing', { scope });
  if (actor.orgId === null)
    throw new ContractError('missing_org_context', 'An active organization context is required');
  return actor as ScopedActor;
}

/** Decides whether an actor may call a public procedure, by `requireCredential` and `requireScopes`. */
export function authorize(actor: Actor, needs: Needs): ScopedActor {
  requireCredential(actor, needs);
  return requireScopes(actor, needs);
}
