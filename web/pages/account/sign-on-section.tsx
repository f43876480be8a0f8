import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FormProblem } from '../../api/server-form.js';
import { useServer } from '../../api/use-server.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { When } from '../../ui/when.js';
import { Section } from '../../ui/section.js';

/**
 * Shows whether the person's account is connected to single sign-on; renders nothing if single sign-on is not
 * configured.
 */
export function SignOnSection() {
  const { trpc, api, refresh } = useServer();
  const { data: means } = useQuery(trpc.session.signInMeans.queryOptions());
  const connect = useMutation({
    mutationFn: async () => {
      const { url } = await api.session.connectSignOn.mutate({ return_to: '/account' }, { context: { alone: true } });
      window.location.assign(url);
    },
  });
  if (!means?.sign_on) return null;
  const { name } = means.sign_on;

  async function disconnect(): Promise<void> {
    await api.session.disconnectSignOn.mutate();
    await refresh(trpc.session.signInMeans);
  }

  return (
    <Section title={t`Single sign-on`} description={t`Sign in with ${name} instead of a password.`}>
      <FormProblem error={connect.error} />
      {means.connected_at === null ? (
        <Group>
          <Button variant="default" loading={connect.isPending} onClick={() => connect.mutate()}>
            {t`Connect ${name}`}
          </Button>
        </Group>
      ) : (
        <>
          <Text>
            <Trans>
              Connected <When at={means.connected_at} />
            </Trans>
          </Text>
          {means.has_password && (
            <Group>
              <ConfirmButton
                question={t`Disconnect single sign-on?`}
                consequence={t`You can still sign in with your email address and password.`}
                confirm={t`Disconnect`}
                onConfirm={disconnect}
              >
                <Trans>Disconnect</Trans>
              </ConfirmButton>
            </Group>
          )}
        </>
      )}
    </Section>
  );
}
