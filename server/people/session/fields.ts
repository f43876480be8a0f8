import { fail, field } from '../../kernel/validation/failure.js';
import { textField } from '../../kernel/validation/fields.js';
import { emailCharactersMax, enteredEmail, parseEmail } from './email-address.js';

/** An email address in its normal form (`parseEmail`), so that one address is one user. */
export const emailField = textField({ min: 1, max: emailCharactersMax }, 'create-string').pipe(
  field<string, string>((value) => parseEmail(String(value)) ?? fail('not_email'), {
    type: 'string',
    format: 'email',
    maxLength: emailCharactersMax,
  }),
);

/** The address of an existing account. Any other text counts as a wrong address. */
export const accountEmailField = textField({ min: 1, max: emailCharactersMax }, 'create-string').pipe(
  field<string, string>((value) => enteredEmail(String(value)), {
    type: 'string',
    format: 'email',
    maxLength: emailCharactersMax,
  }),
);

const passwordCharactersMax = 200;

/** A new password. Only its length is checked. */
export const newPasswordField = textField({ min: 8, max: passwordCharactersMax }, 'create-string');

/** A password to verify: any text is accepted, up to a length that limits the cost. */
export const passwordField = textField({ min: 1, max: passwordCharactersMax }, 'create-string');
