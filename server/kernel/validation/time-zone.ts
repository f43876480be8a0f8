import { isTimeZone } from '../time-zone.js';
import { fail, field } from './failure.js';
import { textField } from './fields.js';

/** The name of a time zone, such as `Europe/Berlin`. Offsets are rejected, since the database inverts their sign. */
export const timeZoneField = textField({ min: 1, max: 64 }, 'create-string').pipe(
  field<string, string>((value) => (isName(String(value)) ? String(value) : fail('not_time_zone')), { type: 'string' }),
);

function isName(value: string): boolean {
  return /^[A-Za-z]/.test(value) && isTimeZone(value);
}
