import type { Session } from './session.js';

/**
 * Deletes the names that this device remembers when the person signs out, here or in another tab. Unsent scans stay,
 * and are sent when the person signs in again. Returns a function that stops this.
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
