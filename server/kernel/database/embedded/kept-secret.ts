import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode, StartError } from '../../start-error.js';

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (errorCode(error) !== 'EACCES') throw error;
    throw new StartError(`${file} cannot be read: start as the user who started first, or set another DATA_DIR`);
  }
}

/**
 * Returns the secret in a file that only its owner can read.
 *
 * @param wayBack what to do if the file is missing or empty
 * @throws StartError if the file is missing or empty, or belongs to another user
 */
export function keptSecret(file: string, wayBack: string): string {
  const secret = readSecret(file);
  if (secret) return secret;
  throw new StartError(`${file} is ${secret === undefined ? 'missing' : 'empty'}, and the data need it. ${wayBack}`);
}

/**
 * Generates the secret in a file unless the file has one. Two processes that do this at the same time get the same
 * secret.
 *
 * @throws StartError if the file belongs to another user
 */
export function generateSecret(file: string): void {
  if (readSecret(file) !== undefined) return;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
