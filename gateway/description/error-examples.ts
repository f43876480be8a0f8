import {
  ContractError,
  type ErrorType,
  type FieldError,
  rateLimited,
  serviceUnavailable,
  validationError,
} from '../../server/index.js';
import { contentTypeDetail } from '../rest/input.js';
import type { Operation } from '../rest/operations.js';
import { errorEnvelope } from '../rest/respond.js';

const exampleId = '42';
const impossibleId = '0';
const bodyBytesExample = 1_048_576;

/** Returns an operation's answer for an error type, built by the same code as real ones. */
export function errorExample(type: ErrorType, operation: Operation, allow: string): unknown {
  const firstId = type === 'validation_error' && isIdAtFault(operation) ? impossibleId : exampleId;
  const path = operation.path.replace(/\{[^}]+\}/, firstId).replaceAll(/\{[^}]+\}/g, exampleId);
  const misses = type === 'not_found' && operation.pathKeys.length === 0;
  const instance = misses ? `${path}/` : path;
  const error = type === 'validation_error' ? validationError([fieldExample(operation)]) : example(type, operation);
  return errorEnvelope(error, { instance, requestId: '01JZ8M5T9Q4W7X2C3V6B8N0KHD' });

  function example(kind: Exclude<ErrorType, 'validation_error'>, { meta }: Operation): ContractError {
    switch (kind) {
      case 'rate_limited':
        return rateLimited(12);
      case 'bad_request':
        return new ContractError(kind, 'Request body is not valid JSON');
      case 'unauthorized':
        return new ContractError(kind, 'Missing authorization header');
      case 'forbidden':
        return new ContractError(kind, `Missing required scope: ${meta.scopes?.[0] ?? ''}`);
      case 'not_found':
        return new ContractError(kind, misses ? `Unknown API route: ${instance}` : `${nounOf(operation)} not found`);
      case 'method_not_allowed':
        return new ContractError(kind, `Allowed methods: ${allow}`);
      case 'conflict':
        return new ContractError(kind, conflictDetail(operation));
      case 'gone':
        return new ContractError(kind, 'This endpoint has been retired');
      case 'payload_too_large':
        return new ContractError(kind, `Request body must be at most ${bodyBytesExample} bytes`);
      case 'unsupported_media_type':
        return new ContractError(kind, contentTypeDetail(operation));
      case 'missing_org_context':
        return new ContractError(kind, 'An active organization context is required');
      case 'service_unavailable':
        return serviceUnavailable('Too many requests of this organization are under way', 1);
      case 'internal_error':
        return new ContractError(kind, '');
    }
  }
}

/** Returns whether the example of a wrong field is the first id of the path. */
function isIdAtFault({ contentType, pathKeys }: Operation): boolean {
  return !contentType && pathKeys.length > 0;
}

function fieldExample({ contentType, pathKeys }: Operation): FieldError {
  if (contentType) return { field: 'color', code: 'unknown_field', message: 'unknown field "color" in request body' };
  const [field] = pathKeys;
  if (field === undefined) return { field: 'color', code: 'unknown_field', message: 'unknown parameter: color' };
  return { field, code: 'too_small', message: `${field} must be >= 1`, params: { min: 1 } };
}

function nounOf({ path }: Operation): string {
  return path.includes('/locations') ? 'Location' : 'Asset';
}

function conflictDetail(operation: Operation): string {
  const noun = nounOf(operation).toLowerCase();
  if (operation.path.endsWith('/tags')) return 'tag rfid:E2801190A503006543E21224 already exists';
  if (operation.method === 'DELETE') {
    return `${noun} has descendant ${noun}s; reassign or remove them before deleting (cascade is not supported)`;
  }
  if (operation.method === 'PATCH') return 'parent_id 42 would create a self-referential cycle';
  const key = noun === 'location' ? 'HALL-2-GATE-1' : 'PALLET-0042';
  return `${noun} with external_key ${key} already exists`;
}
