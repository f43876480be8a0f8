import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';

/** All mistakes in the settings: one line each, beginning with the setting's name. */
export class SettingsError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'SettingsError';
    this.lines = lines;
  }
}

/** Variables by name, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns functions that each read one setting, and collect mistakes in `mistakes` instead of throwing. */
export function createReader(env: Environment) {
  const mistakes: string[] = [];

  /** Returns a text. An empty value counts as missing: compose files pass unset variables on as empty ones. */
  function text(name: string): string | undefined {
    return env[name]?.trim() || undefined;
  }

  function integer(name: string, fallback: number, { min, max }: { min: number; max: number }): number {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    mistakes.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
    return fallback;
  }

  /** Returns a port; undefined if the setting is absent, and the port then stays closed. */
  function optionalPort(name: string): number | undefined {
    return text(name) === undefined ? undefined : integer(name, 0, { min: 0, max: 65_535 });
  }

  function choice<const Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    const value = text(name);
    if (value === undefined) return fallback;
    const chosen = choices.find((candidate) => candidate === value);
    if (chosen === undefined) mistakes.push(`${name} must be one of ${choices.join(', ')}, not "${value}"`);
    return chosen ?? fallback;
  }

  /**
   * Returns a URL. Its value is not part of the message of a mistake, since such an address often contains a password.
   */
  function url(name: string, protocols: readonly string[]): string | undefined {
    const value = text(name);
    if (value === undefined) return undefined;
    const schemes = protocols.map((protocol) => `${protocol}//`);
    const begins = schemes.some((scheme) => value.toLowerCase().startsWith(scheme));
    if (!begins) mistakes.push(`${name} must be an address that begins with ${schemes.join(' or ')}`);
    else if (hasUnescapedCredentials(value)) {
      mistakes.push(
        `${name} must have special characters of its user and password percent-encoded: %23 for #, %2F for /, %3F for ?, %25 for %`,
      );
    } else if (!URL.canParse(value))
      mistakes.push(`${name} must be an address with a host, and a port from 1 to 65535 or none`);
    return value;
  }

  function file(name: string): string | undefined {
    const value = text(name);
    if (value === undefined) return undefined;
    try {
      accessSync(value, constants.R_OK);
    } catch {
      mistakes.push(`${name} names a file that cannot be read: ${value}`);
    }
    return path.resolve(value);
  }

  function networks(name: string): string[] {
    const members = (text(name) ?? '').split(',').flatMap((member) => member.trim() || []);
    for (const member of members.filter((candidate) => !isNetwork(candidate))) {
      mistakes.push(`${name} must be addresses and networks like 10.0.0.0/8, separated by commas; "${member}" is none`);
    }
    return members;
  }

  return { text, integer, optionalPort, choice, url, file, networks, mistakes };
}

/**
 * Returns whether a user or a password in a URL has characters that end it too early, or a percent sign that encodes
 * nothing. A slash, a question mark or a hash sign ends the host, so a part of the password is read as a port, and the
 * `@` comes after it.
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

function isNetwork(member: string): boolean {
  const [address = '', prefix = '0', ...rest] = member.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}
