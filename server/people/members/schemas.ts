import { z } from 'zod';
import { roles } from '../auth/scopes.js';
import { choiceField } from '../../kernel/validation/choice-field.js';
import { booleanField, idField } from '../../kernel/validation/fields.js';
import { emailField } from '../session/fields.js';

const roleField = choiceField(roles, 'create-string');

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
