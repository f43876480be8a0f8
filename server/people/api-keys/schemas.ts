import { z } from 'zod';
import { type Scope, selectableScopes } from '../auth/scopes.js';
import { fail, field } from '../../kernel/validation/failure.js';
import { idField, missing, nullableTimestampField, textField, wrongType } from '../../kernel/validation/fields.js';
import { nameField } from '../../kernel/validation/resource-fields.js';

const noScope = fail('not_one_of', { allowed: selectableScopes });

/** At least one of the scopes that an integrator may choose (contract 6.3), in the order of the contract. */
const scopesField = field<Scope[]>(
  (value) => {
    if (value === undefined) return missing;
    if (!Array.isArray(value)) return wrongType('array', value);
    if (value.length === 0) return fail('too_few_items', { min: 1 });
    const known: ReadonlySet<unknown> = new Set(selectableScopes);
    return value.every((item) => known.has(item)) ? selectableScopes.filter((scope) => value.includes(scope)) : noScope;
  },
  { type: 'array', minItems: 1, items: { type: 'string', enum: selectableScopes } },
);

export const createApiKeyInput = z.strictObject({
  name: nameField('create-string'),
  scopes: scopesField,
  /** Null for a key that never expires. */
  expires_at: nullableTimestampField(),
  /** The organization of the session unless another one is named. */
  organization_id: idField('required').exactOptional(),
});

const uuidRule = {
  min: 36,
  max: 36,
  pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  words: 'a UUID',
} as const;

export const revokeApiKeyInput = z.strictObject({ id: textField(uuidRule, 'create-string') });

/** The user that the keys belong to: a member or a former member. */
export const keysOfInput = z.strictObject({ user_id: idField('required') });
