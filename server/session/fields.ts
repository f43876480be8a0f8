import { fail, field } from '../validation/failure.js';
import { textField } from '../validation/fields.js';

const addressShape = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** An e-mail address in lower case, so that one address is one person; white space at the ends is a slip and dropped. */
export const emailField = textField({ min: 1, max: 254 }, 'create-string').pipe(
  field<string, string>(
    (value) => {
      const email = String(value).trim().toLowerCase();
      return addressShape.test(email) ? email : fail('invalid_value', '{f} must be an e-mail address');
    },
    { type: 'string', format: 'email', maxLength: 254 },
  ),
);

const passwordCharactersMax = 200;

/** A password to be. Length is all that is asked of it. */
export const newPasswordField = textField({ min: 8, max: passwordCharactersMax }, 'create-string');

/** A password to be tried: whatever cannot be one is still a wrong one, up to the length that costs time. */
export const passwordField = textField({ min: 1, max: passwordCharactersMax }, 'create-string');
