/** Everything that the gateway and the ingest broker may import of the server. */
export { createAddressSet } from './kernel/address-set.js';
export { scopes } from './people/auth/scopes.js';
export { networksOf } from './kernel/client-networks.js';
export { createConnectionCounts } from './kernel/connection-counts.js';
export { createOwnerCounts } from './kernel/owner-counts.js';
export type { Actor } from './people/actor.js';
export type { Context } from './context.js';
export { createPresence, type Presence } from './kernel/database/presence.js';
export { type Caller, type Core, createCore } from './core.js';
export {
  ContractError,
  type ErrorType,
  errorTable,
  type FieldError,
  generalFaultDetail,
  rateLimited,
  serviceUnavailable,
  validationError,
} from './kernel/errors.js';
export { DeadlineError, withDeadline } from './kernel/deadline.js';
export { endOfString, isNestedTooDeep } from './kernel/json-levels.js';
export type { Log } from './kernel/log.js';
export { imageKindNames, imageMediaTypes, uploadBytesMax } from './things/images/kinds.js';
export type { ImageContent } from './things/images/router.js';
export { fieldErrorCodes } from './kernel/field-reasons.js';
export { ProcessStoppedError } from './kernel/limited-process/limited-process.js';
export { backoffMs } from './kernel/backoff.js';
export { createFairSemaphore } from './kernel/fair-semaphore.js';
export { QueueFullError } from './kernel/semaphore.js';
export { createTurns } from './kernel/turns.js';
export { RedisUnavailableError, type SharedRedis } from './kernel/shared-redis.js';
export { type EventDescription, eventDescriptions, eventParts, eventViews } from './notifying/events/event-schemas.js';
export type { AppRouter } from './router.js';
export type { ExternalBroker, Settings } from './kernel/settings.js';
export {
  authorizePerson,
  requireCredential,
  requireScopes,
  type ScopedActor,
} from './people/auth/authorize.js';
export type { Meta } from './trpc.js';
export {
  contractErrorOf,
  type FieldErrors,
  fieldErrorsOf,
  inputError,
  type InputIssue,
} from './kernel/validation/input-failure.js';
export type { ReaderFormat } from './tracking/readers/formats.js';
export { connectionNoteMs, type ReaderChange, type ReaderLogin } from './tracking/readers/logins.js';
export { createMappingProcess, mappingMegabytesMax, mappingMsFor } from './tracking/readers/mapping-process.js';
export type { Mapping } from './tracking/readers/view.js';
export { ReaderGoneError } from './tracking/scans/ingestion-errors.js';
export type { MessageContent, TagRead } from './tracking/scans/reader-message.js';
