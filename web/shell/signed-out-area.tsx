import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useSessionControl } from '../session/context.js';

/** Leads to the sign-in, or on a service that nobody has used yet to its first run. */
export function SignedOutArea({ to }: { to: string }) {
  const { openApi } = useSessionControl();
  const status = useQuery({ queryKey: ['session-status'], queryFn: () => openApi.session.status.query() });
  if (status.isPending) {
    return (
      <Center h="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (status.data?.first_run) return <Navigate to="/welcome" replace />;
  return <Navigate to="/sign-in" search={to === '/' ? {} : { to }} replace />;
}
