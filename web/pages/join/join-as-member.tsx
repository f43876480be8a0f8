import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FormProblem } from '../../api/server-form.js';
import { useTRPCClient } from '../../api/trpc.js';
import { useSessionControl } from '../../session/context.js';
import type { Identity } from '../../session/identity.js';
import { UserText } from '../../ui/user-text.js';

export type JoinAsMemberProps = { token: string; email: string | null; user: Identity['user'] };

/** Joins with the account that is signed in, if the invitation is for it. */
export function JoinAsMember({ token, email, user }: JoinAsMemberProps) {
  const api = useTRPCClient();
  const session = useSessionControl();
  const navigate = useNavigate();
  const isMeant = email === null || email === user.email;

  const attempt = useMutation({ mutationFn: (act: () => Promise<void>) => act() });

  async function join(): Promise<void> {
    session.enter(await api.session.acceptInvitation.mutate({ token }, { context: { alone: true } }));
    await navigate({ to: '/', replace: true });
  }

  return (
    <Stack>
      <Text>
        <Trans>
          You are signed in as <UserText>{user.name}</UserText> (<UserText>{user.email}</UserText>)
          {isMeant ? '.' : t`, but the invitation is for a different email address.`}
        </Trans>
      </Text>
      <FormProblem error={attempt.error} />
      <Group>
        {isMeant && <Button loading={attempt.isPending} onClick={() => attempt.mutate(join)}>{t`Join`}</Button>}
        <Button variant="default" disabled={attempt.isPending} onClick={() => attempt.mutate(() => session.signOut())}>
          <Trans>Use another account</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
