import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../../start-error.js';

/** Whom to run PostgreSQL as; empty means the user of this process. */
export type OsUser = { readonly uid: number; readonly gid: number } | Record<string, never>;

const USER_NAME = 'postgres';

function lookUp(): OsUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, USER_NAME], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Debian, Red Hat and their kin have `useradd`; Alpine has `adduser` and `addgroup`. */
function create(): void {
  const made = spawnSync('useradd', ['--system', '--user-group', '--shell', '/bin/false', USER_NAME]);
  if (made.status === 0) return;
  spawnSync('addgroup', ['-S', USER_NAME]);
  spawnSync('adduser', ['-S', '-D', '-H', '-G', USER_NAME, USER_NAME]);
}

/**
 * PostgreSQL refuses to run as root. Then it runs as the owner of the cluster, or as the user `postgres`, who is made
 * if missing.
 *
 * @param clusterDir need not exist yet
 * @throws StartError if there is no such user and none can be made
 */
export function findOsUser(clusterDir: string): OsUser {
  if (process.getuid?.() !== 0) return {};
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const known = lookUp();
  if (known) return known;
  create();
  const made = lookUp();
  if (made) return made;
  throw new StartError(
    `PostgreSQL does not run as root, and the user "${USER_NAME}" cannot be made: start as another user, or make that one`,
  );
}

/**
 * Makes sure that the user can get to a place through every folder above it.
 *
 * @throws StartError naming the first folder that is closed
 */
export function checkPassable(place: string, user: OsUser): void {
  if (!('uid' in user)) return;
  const isPassable = (candidate: string) => spawnSync('test', ['-x', candidate], { ...user, cwd: '/' }).status === 0;
  if (isPassable(place)) return;
  let closed = path.resolve(place);
  while (path.dirname(closed) !== closed && !isPassable(path.dirname(closed))) closed = path.dirname(closed);
  throw new StartError(
    `PostgreSQL does not run as root but as user ${user.uid}, who may not pass ${closed}: ` +
      `run chmod o+x "${closed}", or move to a folder that everybody may pass (DATA_DIR moves the data)`,
  );
}
