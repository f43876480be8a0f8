import pg, { type ClientBase } from 'pg';

/**
 * A commit that a synchronous standby may lack. The primary has it, so it must not be reported as done, and repeating it can find
 * it done already. SQLSTATE 08007 stands for an outcome that is not known.
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
 * Watches a connection for commits whose wait for a synchronous standby was canceled, by a statement timeout or an administrator.
 * PostgreSQL reports such a commit as successful, with nothing but a warning before it.
 */
export function watchReplication(client: ClientBase): {
  /** Returns the error of such a commit since the last call. */
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

type Callback = (error: unknown, result?: unknown) => void;
type Query = (...args: unknown[]) => unknown;

/** Makes the queries of a connection fail with `UnreplicatedError`. It must have one query under way at a time. */
export function rejectUnreplicated(client: ClientBase): void {
  const { takeFault } = watchReplication(client);
  const query: Query = (...args) => (pg.Client.prototype.query as Query).apply(client, args);
  const watched: Query = (...args) => {
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const answer: Callback = (error, result) => {
        const fault = error ?? takeFault();
        (callback as Callback)(fault, fault ? undefined : result);
      };
      return query(...args.slice(0, -1), answer);
    }
    const answered = query(...args);
    if (!(answered instanceof Promise)) return answered;
    return answered.then((result: unknown) => {
      const fault = takeFault();
      if (fault) throw fault;
      return result;
    });
  };
  Object.assign(client, { query: watched });
}
