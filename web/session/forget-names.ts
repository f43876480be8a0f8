import { ownerOf } from './owner.js';
import type { Session } from './session.js';

/**
 * Deletes the names that this device remembers when the person signs out, here or in another tab, and the locations that
 * it keeps when the person changes the organization. Unsent scans stay, and are sent when the person signs in again.
 * Returns a function that stops this.
 */
export function forgetNamesOnSignOut(session: Session): () => void {
  let userId: number | undefined;
  let owner: string | undefined;
  return session.subscribe(() => {
    const state = session.state();
    if ('user' in state) {
      const [former, present] = [owner, ownerOf(state)];
      userId = state.user.id;
      owner = present;
      if (former !== undefined && former !== present) {
        void import('../scanning/leaving.js').then(({ forgetLocations }) => forgetLocations(former)).catch(() => {});
      }
    }
    if (state.status !== 'signed-out' || userId === undefined) return;
    const left = userId;
    userId = undefined;
    sessionStorage.clear();
    void import('../scanning/leaving.js').then(({ forgetNames }) => forgetNames(left)).catch(() => {});
  });
}
