import { type ContractError, refusal } from '../errors.js';

export function readerNotFound(): ContractError {
  return refusal('not_found', { what: 'Reader' });
}
