import { type ContractError, refusal } from '../../kernel/errors.js';

export function readerNotFound(): ContractError {
  return refusal('not_found', { what: 'Reader' });
}
