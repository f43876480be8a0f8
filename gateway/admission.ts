import type { IncomingMessage } from 'node:http';
import {
  type Actor,
  ContractError,
  type Core,
  type Meta,
  rateLimited,
  requireCredential,
  requireScopes,
  type ScopedActor,
} from '../server/index.js';
import { addressBudgetKey, type CallerLimiter } from './caller-limiter.js';
import type { Exchange } from './exchange.js';
import type { Budget } from './rate-limit.js';
import { setBudgetHeaders } from './rest/respond.js';

const otherCredentialHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token'];

/**
 * Decides who may make a request, before its body is read. Each function sets the rate-limit headers, and throws
 * ContractError: `unauthorized` for a credential that is not valid, and `rate_limited`. Without a valid credential, a
 * request counts against the budget of its address.
 */
export type Admission = {
  /** Counts a request that is rejected for its path, its method or its `Host`, whatever the budget is. */
  count(exchange: Exchange): Promise<void>;
  /** Admits anybody. */
  anybody(exchange: Exchange): Promise<void>;
  /** Admits callers with a credential. */
  caller(exchange: Exchange): Promise<Actor>;
  /**
   * Admits callers with a credential, and callers without one, whom some procedures of `/trpc` allow.
   *
   * @param count how many requests it counts as
   * @param more how many further ones with a valid credential
   */
  callerOrNobody(exchange: Exchange, cost: { count: number; more: number }): Promise<Actor>;
  /**
   * Admits callers that may call a public procedure.
   *
   * @throws ContractError also `gone` if it has been retired, `forbidden`, and `missing_org_context`
   */
  callerOf(exchange: Exchange, meta: Meta): Promise<ScopedActor>;
};

export type AdmissionOptions = { core: Core; limiter: CallerLimiter; now: () => number };

export function createAdmission({ core, limiter, now }: AdmissionOptions): Admission {
  /** Returns the caller of a request, which it stores in the exchange. */
  async function identify(exchange: Exchange, count?: number): Promise<Actor> {
    try {
      exchange.actor = await core.identify(bearerToken(exchange.request));
      return exchange.actor;
    } catch (error) {
      requireLeft(await takeOfAddress(exchange, count));
      throw error;
    }
  }

  async function takeOfAddress({ response, clientAddress }: Exchange, count?: number): Promise<Budget> {
    const budget = await limiter.take(addressBudgetKey(clientAddress), count);
    setBudgetHeaders(response, budget);
    return budget;
  }

  async function takeOf({ response, clientAddress }: Exchange, actor: Actor, count?: number): Promise<Budget> {
    const budget = await limiter.takeFor({ actor, clientAddress }, count);
    setBudgetHeaders(response, budget);
    return budget;
  }

  return {
    async count(exchange) {
      await takeOfAddress(exchange);
    },
    async anybody(exchange) {
      requireLeft(await takeOfAddress(exchange));
    },
    async caller(exchange) {
      const actor = await identify(exchange);
      requireLeft(await takeOf(exchange, actor));
      return actor;
    },
    async callerOrNobody(exchange, { count, more }) {
      const hasCredential = exchange.request.headers.authorization !== undefined;
      const actor: Actor = hasCredential ? await identify(exchange, count) : { kind: 'none' };
      requireLeft(await takeOf(exchange, actor, hasCredential ? count + more : count));
      return actor;
    },
    async callerOf(exchange, meta) {
      const actor = await identify(exchange);
      const budget = await takeOf(exchange, actor);
      requireCredential(actor, meta);
      requireLeft(budget);
      if (meta.deprecation && now() >= meta.deprecation.sunset.getTime())
        throw new ContractError('gone', 'This endpoint has been retired');
      return requireScopes(actor, meta);
    },
  };
}

function requireLeft({ retryAfterSeconds }: Budget): void {
  if (retryAfterSeconds !== undefined) throw rateLimited(retryAfterSeconds);
}

/**
 * Returns the bearer token of a request.
 *
 * @throws ContractError `unauthorized` with what is wrong with the header (contract 6.4)
 */
function bearerToken({ headers }: IncomingMessage): string {
  const header = headers.authorization;
  if (header === undefined) {
    const elsewhere = otherCredentialHeaders.some((name) => headers[name] !== undefined);
    throw new ContractError(
      'unauthorized',
      elsewhere ? 'Use Authorization: Bearer <token>' : 'Missing authorization header',
    );
  }
  const token = /^bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) throw new ContractError('unauthorized', 'Invalid authorization header format');
  return token;
}
