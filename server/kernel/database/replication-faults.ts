import type { ClientBase } from 'pg';

/**
 * A commit that the primary has, but a synchronous standby may lack. It must not be reported as done, although a
 * repetition can find it done already. SQLSTATE 08007 stands for an unknown outcome.
 */
export class UnreplicatedError extends Error {
  readonly code = '08007';
  readonly severity = 'ERROR';

  constructor() {
    super('the transaction is committed, but perhaps not on the standby');
    this.name = 'UnreplicatedError';
  }
}

/** The function of PostgreSQL that waits for standbys, as its notices name it in every language. */
const waitingRoutine = 'SyncRepWaitForLSN';

/**
 * Watches a connection for commits whose wait for a synchronous standby was canceled, by a statement timeout or an
 * administrator. PostgreSQL reports such a commit as successful, and only sends a warning before.
 */
export function watchReplication(client: ClientBase): {
  /** Returns the error of such a commit since the last call, if there was one. */
  takeFault(): UnreplicatedError | undefined;
} {
  let isUnreplicated = false;
  client.on('notice', ({ routine }) => {
    if (routine === waitingRoutine) isUnreplicated = true;
  });
  return {
    takeFault() {
      if (!isUnreplicated) return undefined;
      isUnreplicated = false;
      return new UnreplicatedError();
    },
  };
}
