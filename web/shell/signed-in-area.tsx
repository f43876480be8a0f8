import { t } from '@lingui/core/macro';
import { Center, Loader } from '@mantine/core';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useSessionState } from '../session/context.js';
import { AppFrame } from './app-frame.js';
import { OfflineFrame } from './offline-frame.js';
import { SignedOutArea } from './signed-out-area.js';
import { UnreachablePage } from './unreachable-page.js';
import { lazyPart } from '../ui/lazy-part.js';

const loadSignInAgain = () => import('./sign-in-again.js');
const SignInAgain = lazyPart(loadSignInAgain, 'SignInAgain');
const EarlierMembershipsPage = lazyPart(
  () => import('../pages/earlier-memberships/earlier-memberships-page.js'),
  'EarlierMembershipsPage',
);
/** The form is not part of the first load, but is loaded before a session can end. */
const loadAfterMs = 10_000;

/** Shows the app to signed-in people, and the sign-in page to others; then continues to the page that they wanted. */
export function SignedInArea() {
  const state = useSessionState();
  const to = useRouterState({ select: ({ location }) => location.href });
  useEffect(() => {
    const timer = setTimeout(() => void loadSignInAgain().catch(() => {}), loadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  switch (state.status) {
    case 'starting':
      return (
        <Center h="100dvh">
          <Loader aria-label={t`Signing in`} />
        </Center>
      );
    case 'signed-out':
      return <SignedOutArea to={to} />;
    case 'unreachable':
      // Scanning works without the server. Instead of other pages, the locations that this device remembers are shown.
      if (!to.startsWith('/scan') || !state.last) {
        return <UnreachablePage last={state.last} address={to} />;
      }
      return (
        <OfflineFrame>
          <Outlet />
        </OfflineFrame>
      );
    case 'ended':
    case 'signed-in':
      if (state.status === 'signed-in' && state.hasEarlierMemberships) {
        return (
          <Suspense fallback={null}>
            <EarlierMembershipsPage />
          </Suspense>
        );
      }
      return (
        // When the organization changes, nothing of the previous one stays on the page.
        <AppFrame key={`${state.user.id} ${state.organization.id}`}>
          <Outlet />
          <Suspense fallback={null}>{state.status === 'ended' && <SignInAgain email={state.user.email} />}</Suspense>
        </AppFrame>
      );
  }
}
