import { router } from '../../trpc.js';
import { createApiKey } from './create-api-key.js';
import { listFormerCreators, listKeysOfMember, revokeKeysOfMember } from './keys-of-member.js';
import { listApiKeys } from './list-api-keys.js';
import { revokeApiKey } from './revoke-api-key.js';

/** API keys of integrators: administrators create, list and revoke them in the app (contract 6.2). */
export const apiKeysRouter = router({
  create: createApiKey,
  list: listApiKeys,
  revoke: revokeApiKey,
  listOfMember: listKeysOfMember,
  listFormerCreators,
  revokeOfMember: revokeKeysOfMember,
});
