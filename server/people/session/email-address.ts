import { z } from 'zod';
import { asciiHostName } from '../email-domains/domain-name.js';

/** RFC 5321, 4.5.3.1, and 254 characters for the whole address (RFC 3696, erratum 1690). */
const localCharactersMax = 64;
export const emailCharactersMax = 254;

/**
 * Returns an email address in the form in which addresses are stored and compared: lower case, with the domain in
 * ASCII, without surrounding white space. Accepts only characters that need no quotation marks: returns undefined for
 * any text that mail software could read as another address, as several addresses, or as an address with a name.
 */
export function parseEmail(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const domain = asciiHostName(text.slice(at + 1).trimEnd());
  const local = text.slice(0, Math.max(at, 0)).trimStart();
  if (domain === undefined || local.length > localCharactersMax || /^\.|\.\.|\.$/.test(local)) return undefined;
  const address = `${local}@${domain}`;
  // Checked before the conversion to lower case, which turns a Kelvin sign into a "k".
  return z.regexes.html5Email.test(address) && address.length <= emailCharactersMax ? address.toLowerCase() : undefined;
}

/**
 * Returns the address that a person typed to sign in: its normal form, or else the text in lower case, since accounts
 * of earlier releases can have addresses that are no longer accepted.
 */
export function enteredEmail(text: string): string {
  return parseEmail(text) ?? text.trim().toLowerCase();
}
