import { t } from '@lingui/core/macro';
import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSessionControl } from '../session/context.js';
import { sessionStatus } from '../session/status.js';

/** Leads to the sign-in page, or to the first run if nobody has used the service yet. */
export function SignedOutArea({ to }: { to: string }) {
  const { openApi } = useSessionControl();
  const status = useQuery(sessionStatus(openApi));
  // While the sign-in page is loading, the address is already its own, to which it would then return.
  const [wanted] = useState(to);
  if (status.isPending) {
    return (
      <Center h="100dvh">
        <Loader aria-label={t`Loading`} />
      </Center>
    );
  }
  if (status.data?.first_run) return <Navigate to="/welcome" replace />;
  return <Navigate to="/sign-in" search={wanted === '/' ? {} : { to: wanted }} replace />;
}
