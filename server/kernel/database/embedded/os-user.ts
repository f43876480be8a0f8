import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../../log.js';
import { StartError } from '../../start-error.js';

/** The user that PostgreSQL runs as; empty means the user of this process. */
export type OsUser = { readonly uid: number; readonly gid: number } | Record<string, never>;

const userName = 'postgres';

function lookUp(): OsUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, userName], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/**
 * Creates the system user. Debian and Red Hat have `useradd`; Alpine has `adduser` and `addgroup`. Each command is
 * logged before it runs.
 */
function create(log: Log): void {
  const succeeds = (command: string, ...args: string[]) => {
    log.info({ command: [command, ...args].join(' ') }, 'creating the system user that PostgreSQL runs as');
    return spawnSync(command, args).status === 0;
  };
  if (succeeds('useradd', '--system', '--user-group', '--shell', '/bin/false', userName)) return;
  succeeds('addgroup', '-S', userName);
  succeeds('adduser', '-S', '-D', '-H', '-G', userName, userName);
}

/**
 * Returns the user that PostgreSQL runs as, since it refuses to run as root. If this process is root, that is the owner
 * of the cluster, or the user `postgres`, which is created if missing. Any other user runs PostgreSQL as itself, and
 * nothing is created.
 *
 * @param clusterDir need not exist yet
 * @throws StartError if the user is missing and cannot be created
 */
export function findOsUser(clusterDir: string, log: Log): OsUser {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const known = lookUp();
  if (known) return known;
  create(log);
  const made = lookUp();
  if (made) return made;
  throw new StartError(
    `PostgreSQL does not run as root, and the user "${userName}" cannot be created. Start as another user, or create that one`,
  );
}

/**
 * Checks that the user can access a path through every folder above it.
 *
 * @throws StartError naming the first folder that is not accessible
 */
export function checkPassable(target: string, user: OsUser): void {
  if (!('uid' in user)) return;
  const isPassable = (candidate: string) => spawnSync('test', ['-x', candidate], { ...user, cwd: '/' }).status === 0;
  if (isPassable(target)) return;
  let closed = path.resolve(target);
  while (path.dirname(closed) !== closed && !isPassable(path.dirname(closed))) closed = path.dirname(closed);
  throw new StartError(
    `PostgreSQL runs as user ${user.uid}, not as root, and that user cannot access ${closed}. ` +
      `Run chmod o+x "${closed}", or use a folder that all users can access (DATA_DIR sets the folder of the data)`,
  );
}
