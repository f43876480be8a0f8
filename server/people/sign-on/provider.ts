import * as oidc from 'openid-client';
import { type Deadline, DeadlineError, withDeadline } from '../../kernel/deadline.js';
import { ContractError, rateLimited, refusal } from '../../kernel/errors.js';
import type { Log } from '../../kernel/log.js';
import { createSemaphore, QueueFullError } from '../../kernel/semaphore.js';
import type { Settings } from '../../kernel/settings.js';
import { type Proof, proofOf } from './proof.js';

/** The app's page for the callback, with `code` and `state` in its query. */
export const callbackPath = '/sign-on';

const scope = 'openid email profile';
/** The time limit of a request to the provider, until the headers of its answer. */
const timeoutSeconds = 10;
/** The time limit of all requests of one step, with their whole answers: the metadata, or the tokens, the keys and the person. */
const step: Deadline = { what: 'the identity provider', ms: 20_000 };
/** OpenID Connect Core 1.0, 2. */
const subjectCharactersMax = 255;
const metadataMs = 3_600_000;
/** For this time after a failed discovery, further requests fail at once instead of waiting for the provider. */
const failureMs = 2000;
const runningMax = 16;
const waitingMax = 100;

/** The values that the browser has to return for a sign-on that it began. */
export type Request = { state: string; nonce: string; verifier: string };

/** The OpenID Connect provider of the settings. */
export type Provider = {
  /** Begins a sign-on: returns the address at the provider, and the values that the answer is checked against. */
  begin(): Promise<Request & { url: string }>;
  /**
   * Exchanges the code in the query of the callback for the person's identity. Checks state, nonce, PKCE, and the
   * signature, issuer, audience and times of the ID token.
   */
  finish(query: string, request: Request): Promise<Proof>;
};

type Metadata = { readonly server: oidc.ServerMetadata; readonly readAtMs: number };

/**
 * Creates a client of the provider. Its metadata is read at first use and cached for an hour, its keys for each
 * sign-on.
 */
export function createProvider(options: {
  settings: NonNullable<Settings['signOn']>;
  baseUrl: string;
  log: Pick<Log, 'warn'>;
  nowMs?: () => number;
}): Provider {
  const { settings, baseUrl, log, nowMs = () => performance.now() } = options;
  const redirectUri = `${baseUrl}${callbackPath}`;
  const isPlain = settings.issuer.startsWith('http:');
  const semaphore = createSemaphore({ runningMax, waitingMax });
  let known: Metadata | undefined;
  let reading: Promise<oidc.ServerMetadata> | undefined;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  let failure: ContractError | undefined;

  async function read(): Promise<oidc.ServerMetadata> {
    try {
      const found = await withDeadline(step, (signal) =>
        oidc.discovery(new URL(settings.issuer), settings.clientId, undefined, oidc.None(), {
          timeout: timeoutSeconds,
          [oidc.customFetch]: fetchUntil(signal),
          // It is deprecated only as a warning: the settings accept it only for addresses of this machine.
          // oxlint-disable-next-line typescript/no-deprecated
          ...(isPlain && { execute: [oidc.allowInsecureRequests] }),
        }),
      );
      known = { server: found.serverMetadata(), readAtMs: nowMs() };
      return known.server;
    } catch (error) {
      failedAtMs = nowMs();
      const issuer = otherIssuerIn(error);
      if (issuer === undefined) log.warn({ fault: faultOf(error) }, 'the single sign-on provider could not be read');
      else log.warn({ OIDC_ISSUER: settings.issuer, issuer }, 'the single sign-on provider names another issuer');
      failure =
        issuer === undefined ? unavailable(error) : refusal('sign_on_issuer_differs', undefined, { cause: error });
      // Old metadata is better than none.
      if (known) return known.server;
      throw failure;
    }
  }

  async function metadata(): Promise<oidc.ServerMetadata> {
    if (known && nowMs() - known.readAtMs < metadataMs) return known.server;
    if (nowMs() - failedAtMs < failureMs) {
      if (known) return known.server;
      throw failure ?? unavailable();
    }
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  /** Returns a configuration without cached keys, so that keys which the provider has replaced are never used. */
  function configurationOf(server: oidc.ServerMetadata): oidc.Configuration {
    const { id_token_signing_alg_values_supported: algorithms } = server;
    const signing = {
      // Signed user info of a provider that does not name its algorithms is signed like ID tokens.
      userinfo_signing_alg_values_supported: algorithms?.filter((name) => name !== 'none'),
      ...server,
    } as oidc.ServerMetadata;
    const configuration = new oidc.Configuration(signing, settings.clientId, undefined, clientAuthentication());
    configuration.timeout = timeoutSeconds;
    oidc.enableNonRepudiationChecks(configuration);
    // oxlint-disable-next-line typescript/no-deprecated
    if (isPlain) oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  /**
   * A provider can support several methods, but accept only the method with which the client was registered, so a
   * setting decides.
   */
  function clientAuthentication(): oidc.ClientAuth {
    if (settings.clientSecret === undefined) return oidc.None();
    return settings.clientAuthentication === 'client_secret_post'
      ? oidc.ClientSecretPost(settings.clientSecret)
      : oidc.ClientSecretBasic(settings.clientSecret);
  }

  async function trade(query: string, { state, nonce, verifier }: Request, signal: AbortSignal): Promise<Proof> {
    const server = await metadata();
    const configuration = configurationOf(server);
    configuration[oidc.customFetch] = fetchUntil(signal);
    const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || claims.sub.length > subjectCharactersMax) throw refusal('sign_on_unproven');
    // Many providers return the address, or whether it is verified, only from the user info endpoint.
    const isVerificationKnown = settings.trustsEmail || claims['email_verified'] !== undefined;
    const isComplete = claims['email'] !== undefined && isVerificationKnown;
    const asksMore = !isComplete && server.userinfo_endpoint !== undefined;
    const more = asksMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
    const person = { ...claims, ...more };
    return proofOf({ issuer: server.issuer, subject: claims.sub, person, trustsEmail: settings.trustsEmail });
  }

  return {
    async begin() {
      const server = await metadata();
      const request = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
      const url = oidc.buildAuthorizationUrl(configurationOf(server), {
        redirect_uri: redirectUri,
        scope,
        state: request.state,
        nonce: request.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: 'S256',
      });
      return { ...request, url: url.href };
    },
    async finish(query, request) {
      try {
        return await semaphore(() => withDeadline(step, (signal) => trade(query, request, signal)));
      } catch (error) {
        if (error instanceof ContractError) throw error;
        if (error instanceof QueueFullError) throw rateLimited(1);
        if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied')
          throw rejectedBy(error);
        log.warn({ fault: faultOf(error) }, 'a single sign-on failed');
        if (error instanceof oidc.AuthorizationResponseError) throw rejectedBy(error);
        throw isUnavailable(error) ? unavailable(error) : refusal('sign_on_unproven', undefined, { cause: error });
      }
    },
  };
}

/** Returns a `fetch` whose answers break off when the signal is aborted: the library's time limit ends with their headers. */
function fetchUntil(signal: AbortSignal): oidc.CustomFetch {
  return (url, { signal: own, ...options }) =>
    fetch(url, { ...(options as RequestInit), signal: own ? AbortSignal.any([own, signal]) : signal });
}

function rejectedBy({ error }: oidc.AuthorizationResponseError): ContractError {
  return refusal(error === 'access_denied' ? 'sign_on_denied' : 'sign_on_refused');
}

/** Returns the issuer in the metadata if it is another one than in the settings; undefined for any other error. */
function otherIssuerIn(error: unknown): string | undefined {
  const { cause } = error as { cause?: { attribute?: unknown; body?: { issuer?: unknown } } };
  return cause?.attribute === 'issuer' && typeof cause.body?.issuer === 'string' ? cause.body.issuer : undefined;
}

function unavailable(cause?: unknown): ContractError {
  return refusal('provider_unreachable', { seconds: 5 }, { cause });
}

const unavailableCodes = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Returns whether an error means that the provider is unavailable or broken, and not that it rejected the request. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof DeadlineError) return true;
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (error instanceof oidc.ClientError) {
    const { cause } = error;
    return unavailableCodes.has(error.code ?? '') || (cause instanceof Response && cause.status >= 500);
  }
  // `fetch` throws such an error if there is no connection. Errors of the arguments have a code.
  return error instanceof TypeError && !('code' in error);
}

/** Returns the log entry of a failure, without codes and tokens. */
function faultOf(error: unknown): object {
  const { message, code, cause } = error as { message?: unknown; code?: unknown; cause?: unknown };
  const isAnswer = error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError;
  const answer = isAnswer ? { error: error.error, description: error.error_description } : {};
  const reason = cause instanceof Error ? { cause: cause.message } : {};
  return { message, code, ...answer, ...reason };
}
