import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { forgetNamesOnSignOut } from './forget-names.js';
import type { Identity } from './identity.js';
import type { Session, SessionState } from './session.js';

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  useEffect(() => {
    const stop = forgetNamesOnSignOut(session);
    void session.start();
    return stop;
  }, [session]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Returns the session itself, for signing in and out. */
export function useSessionControl(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('no SessionProvider above');
  return session;
}

export function useSessionState(): SessionState {
  const session = useSessionControl();
  return useSyncExternalStore(session.subscribe, session.state);
}

export type Role = Identity['organization']['role'];

const roles: readonly Role[] = ['viewer', 'operator', 'manager', 'admin'];

export type SignedIn = Identity & {
  role: Role;
  /** Whether the person's role includes the given role. This only avoids refused requests; the service decides. */
  can(needed: Role): boolean;
};

/** Returns the signed-in person. For pages inside the shell, which is shown only to signed-in people. */
export function useSession(): SignedIn {
  const state = useSessionState();
  return useMemo(() => {
    const identity = 'user' in state ? state : state.status === 'unreachable' ? state.last : undefined;
    if (!identity) throw new Error('nobody is signed in');
    const { user, organization } = identity;
    const { role } = organization;
    return { user, organization, role, can: (needed) => roles.indexOf(role) >= roles.indexOf(needed) };
  }, [state]);
}
