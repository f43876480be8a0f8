import { ContractError } from '../errors.js';

export function readerNotFound(): ContractError {
  return new ContractError('not_found', 'Reader not found');
}
