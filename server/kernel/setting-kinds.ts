import { accessSync, constants, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';

// Each kind of setting is a schema of its text. Its message follows the setting's name.

export function integer(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^[0-9]{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) => `must be a whole number from ${min} to ${max}, not "${String(input)}"`,
    })
    .transform(Number);
}

/** A port; 0 lets the system choose a free one. */
export const port = integer(0, 65_535);

export function choice<const Choice extends string>(...choices: readonly Choice[]) {
  return z.enum(choices, { error: ({ input }) => `must be one of ${choices.join(', ')}, not "${String(input)}"` });
}

export const yesOrNo = choice('true', 'false')
  .default('false')
  .transform((text) => text === 'true');

/**
 * A URL with one of these schemes. Its value is not part of the message of a mistake, since such an address often contains a password.
 */
export function address(...schemes: readonly string[]) {
  return z
    .string()
    .refine((text) => schemes.some((scheme) => text.toLowerCase().startsWith(scheme)), {
      error: `must be an address that begins with ${schemes.join(' or ')}`,
      abort: true,
    })
    .refine((text) => !hasUnescapedCredentials(text), {
      error:
        'must have special characters of its user and password percent-encoded: %23 for #, %2F for /, %3F for ?, %25 for %',
      abort: true,
    })
    .refine((text) => URL.canParse(text), {
      error: 'must be an address with a host, and a port from 1 to 65535 or none',
      abort: true,
    });
}

/**
 * Returns whether a user or a password in a URL has characters that end it too early, or a percent sign that encodes nothing. A slash, a
 * question mark or a hash sign ends the host, so what should be the password is read as a port, and the `@` comes behind it.
 */
function hasUnescapedCredentials(value: string): boolean {
  if (!URL.canParse(value)) return value.includes('@');
  const { username, password, pathname, search, hash } = new URL(value);
  if (username === '' && password === '') {
    return pathname.includes('@') || hash.includes('@') || /^[^=]*@/.test(search);
  }
  try {
    decodeURIComponent(`${username}:${password}`);
    return false;
  } catch {
    return true;
  }
}

/** A file that the process can read, as an absolute path. */
export const readableFile = z
  .string()
  .refine(isReadable, { error: ({ input }) => `names a file that cannot be read: ${String(input)}` })
  .transform((file) => path.resolve(file));

/** A file with a certificate in PEM, as an absolute path. */
export const certificateFile = readableFile.refine((file) => isSecure({ cert: contentOf(file) }), {
  error: ({ input }) => `names a file without a certificate in PEM: ${String(input)}`,
});

/** A file with a private key in PEM, as an absolute path. */
export const keyFile = readableFile.refine((file) => isSecure({ key: contentOf(file) }), {
  error: ({ input }) =>
    `names a file without a private key in PEM, or with one that needs a password: ${String(input)}`,
});

/** Returns whether a certificate and a key, in files of these kinds, belong together. */
export function belongTogether(certFile: string, ofKey: string): boolean {
  return isSecure({ cert: contentOf(certFile), key: contentOf(ofKey) });
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Returns whether TLS accepts all of these. */
function isSecure(parts: Record<string, Buffer | undefined>): boolean {
  if (Object.values(parts).includes(undefined)) return false;
  try {
    createSecureContext(parts);
    return true;
  } catch {
    return false;
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Addresses, and networks in CIDR notation, separated by commas. */
export const networks = z
  .string()
  .transform((text) => text.split(',').flatMap((member) => member.trim() || []))
  .pipe(
    z.array(
      z.string().refine(isNetwork, {
        error: ({ input }) =>
          `must be addresses and networks like 10.0.0.0/8, separated by commas; "${String(input)}" is none`,
      }),
    ),
  );

function isNetwork(member: string): boolean {
  const [address = '', prefix = '0', ...rest] = member.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}
