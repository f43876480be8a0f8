import { t } from '@lingui/core/macro';
import { Button, Divider, Stack } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
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
  const leave = useMutation({ mutationFn: leaveHere });
  const provider = service.data?.sign_on;
  if (!provider) return null;

  async function leaveHere(): Promise<void> {
    // Browsers open a tab only in response to a click, so it is opened before its address is known.
    const tab = inNewTab ? window.open('', '_blank') : null;
    try {
      const start = { return_to: returnTo, ...(invitation !== undefined && { invitation }) };
      const { url } = await openApi.session.startSignOn.mutate(start);
      (tab ?? window).location.assign(url);
    } catch (error) {
      tab?.close();
      throw error;
    }
  }

  return (
    <Stack>
      <FormProblem error={leave.error} />
      <Button
        variant="default"
        leftSection={<IconLogin2 size={18} aria-hidden />}
        loading={leave.isPending}
        onClick={() => leave.mutate()}
      >
        {t`Sign in with ${provider.name}`}
      </Button>
      <Divider label={t`or`} />
    </Stack>
  );
}
