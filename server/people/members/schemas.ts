import { z } from 'zod';
import { type Role, roles } from '../auth/scopes.js';
import { fail, field } from '../../kernel/validation/failure.js';
import { booleanField, idField, missing, wrongType } from '../../kernel/validation/fields.js';
import { emailField } from '../session/fields.js';

const roleField = field<Role>(
  (value) => {
    if (value === undefined) return missing;
    if (typeof value !== 'string') return wrongType('string', value);
    const known = roles.find((role) => role === value);
    return known ?? fail('not_one_of', { allowed: roles });
  },
  { type: 'string', enum: [...roles] },
);

export const setRoleInput = z.strictObject({ user_id: idField('required'), role: roleField });

export const removeMemberInput = z.strictObject({
  user_id: idField('required'),
  /** Whether the active API keys that the member created are revoked too; `false` if absent. */
  revoke_api_keys: booleanField('create-default').exactOptional(),
});

export const inviteInput = z.strictObject({
  role: roleField,
  /** The only address that may accept; without it anybody who has the link. */
  email: emailField.exactOptional(),
});

export const revokeInvitationInput = z.strictObject({ id: idField('required') });
