import type { Session } from './session.js';

/**
 * Deletes what this device remembers of names when the person signs out, here or in another tab. Scans that were not sent
 * stay, and are sent when the person signs in again. Returns the function that ends this.
 */
export function forgetNamesOnSignOut(session: Session): () => void {
  let userId: number | undefined;
  return session.subscribe(() => {
    const state = session.state();
    if ('user' in state) userId = state.user.id;
    if (state.status !== 'signed-out' || userId === undefined) return;
    const left = userId;
    userId = undefined;
    sessionStorage.clear();
    void import('../scanning/leaving.js').then(({ forgetNames }) => forgetNames(left)).catch(() => {});
  });
}
