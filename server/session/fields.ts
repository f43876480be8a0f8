import { fail, field } from '../validation/failure.js';
import { textField } from '../validation/fields.js';

const addressShape = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** An email address in lower case, so that one address is one user; surrounding white space is dropped. */
export const emailField = textField({ min: 1, max: 254 }, 'create-string').pipe(
  field<string, string>(
    (value) => {
      const email = String(value).trim().toLowerCase();
      return addressShape.test(email) ? email : fail('invalid_value', '{f} must be an email address');
    },
    { type: 'string', format: 'email', maxLength: 254 },
  ),
);

const passwordCharactersMax = 200;

/** A new password. Only its length is checked. */
export const newPasswordField = textField({ min: 8, max: passwordCharactersMax }, 'create-string');

/** A password to verify: anything is accepted, up to the length that bounds the cost. */
export const passwordField = textField({ min: 1, max: passwordCharactersMax }, 'create-string');
