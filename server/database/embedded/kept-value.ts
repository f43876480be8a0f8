import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode, StartError } from '../../start-error.js';

/**
 * Returns the secret in a file that only its owner can read; generates it at the first call. Two processes that
 * generate it at once get the same one.
 *
 * @throws StartError if the file belongs to another user
 */
export function keptSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'EACCES') {
      throw new StartError(`${file} cannot be read: start as the user who started first, or set another DATA_DIR`);
    }
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}
