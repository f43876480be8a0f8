/** What the doors may know of the room. */
export { scopes } from './auth/scopes.js';
export type { Actor, Context, RefreshCookie } from './context.js';
export { type Caller, type Core, createCore } from './core.js';
export {
  ContractError,
  type ErrorType,
  errorTable,
  type FieldError,
  fieldErrorCodes,
  generalFaultDetail,
  rateLimited,
  validationError,
} from './errors.js';
export type { Log } from './log.js';
export type { AppRouter } from './router.js';
export type { Settings } from './settings.js';
export { authorize, type Meta, requireCredential } from './trpc.js';
export { contractErrorOf, fieldErrorsOf, type InputIssue, type InputPlaces } from './validation/input-failure.js';
