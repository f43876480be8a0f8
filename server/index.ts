/** Everything that the gateway and the ingest broker may import of the server. */
export { createAddressSet } from './address-set.js';
export { scopes } from './auth/scopes.js';
export { networksOf } from './client-networks.js';
export { createConnectionCounts } from './connection-counts.js';
export type { Actor } from './actor.js';
export type { Context, DeviceCookie, RefreshCookie, SignOnCookie } from './context.js';
export { createPresence, type Presence } from './database/presence.js';
export { type Caller, type Core, createCore } from './core.js';
export {
  ContractError,
  type ErrorType,
  errorTable,
  type FieldError,
  fieldErrorCodes,
  generalFaultDetail,
  rateLimited,
  serviceUnavailable,
  validationError,
} from './errors.js';
export { DeadlineError, withDeadline } from './deadline.js';
export { isNestedTooDeep, jsonLevelsMax } from './json-levels.js';
export type { Log } from './log.js';
export { imageKindNames, imageMediaTypes, uploadBytesMax } from './images/kinds.js';
export type { ImageContent } from './images/router.js';
export { backoffMs } from './backoff.js';
export { createFairSemaphore } from './fair-semaphore.js';
export { QueueFullError } from './semaphore.js';
export { RedisUnavailableError, type SharedRedis } from './shared-redis.js';
export type { AppRouter } from './router.js';
export type { ExternalBroker, Settings } from './settings.js';
export { authorize, authorizePerson, type Meta, requireCredential, type ScopedActor } from './trpc.js';
export {
  contractErrorOf,
  type FieldErrors,
  fieldErrorsOf,
  inputError,
  type InputIssue,
  type InputSources,
} from './validation/input-failure.js';
export { createEvaluator, ExpressionError } from './readers/expressions.js';
export { normalForm } from './tags/normal-form.js';
export type { ReaderFormat } from './readers/formats.js';
export { connectionNoteMs, type ReaderChange, type ReaderLogin } from './readers/logins.js';
export { OrganizationMovingError } from './database/moving.js';
export type { Mapping } from './readers/view.js';
export { ReaderGoneError } from './scans/ingestion-errors.js';
export { isUsableValue, type MessageContent, type TagRead } from './scans/reader-message.js';
export { isPossible, quantities, type Quantity, type Telemetry } from './telemetry/quantities.js';
export type { TagType } from './tags/schemas.js';
export { parseTimestamp } from './time.js';
