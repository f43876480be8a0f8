import { t } from '@lingui/core/macro';
import { Button, Divider, Stack } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import { useSessionControl } from './context.js';
import { sessionStatus } from './status.js';

export type SignOnButtonProps = {
  /** A path of the app to go to afterwards. */
  returnTo: string;
  /** The token of an invitation to accept. */
  invitation?: string;
  /** Opens the provider in another tab, so that this page stays as it is; the session then comes to all tabs. */
  inNewTab?: boolean;
};

/** Leads to the identity provider; renders nothing if single sign-on is not configured. */
export function SignOnButton({ returnTo, invitation, inNewTab = false }: SignOnButtonProps) {
  const { openApi } = useSessionControl();
  const service = useQuery(sessionStatus(openApi));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const provider = service.data?.sign_on;
  if (!provider) return null;

  async function leave(): Promise<void> {
    setBusy(true);
    setProblem(null);
    // Browsers open a tab only in response to a click, so it is opened before its address is known.
    const tab = inNewTab ? window.open('', '_blank') : null;
    try {
      const start = { return_to: returnTo, ...(invitation !== undefined && { invitation }) };
      const { url } = await openApi.session.startSignOn.mutate(start);
      (tab ?? window).location.assign(url);
      if (tab) setBusy(false);
    } catch (error) {
      tab?.close();
      setBusy(false);
      setProblem(problemOf(error));
    }
  }

  return (
    <Stack>
      <FormProblem problem={problem} />
      <Button
        variant="default"
        leftSection={<IconLogin2 size={18} aria-hidden />}
        loading={isBusy}
        onClick={() => void leave()}
      >
        {t`Sign in with ${provider.name}`}
      </Button>
      <Divider label={t`or`} />
    </Stack>
  );
}
