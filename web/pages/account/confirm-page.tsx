import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { Page } from '../../ui/page.js';

/** The page of the link that confirms the address of the account. Its token is after the `#`, which browsers do not send. */
export function ConfirmPage() {
  const token = useRouterState({ select: ({ location }) => location.hash });
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function confirm(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await api.session.confirmAddress.mutate({ token });
      await answers.invalidateQueries(trpc.session.signInMeans.pathFilter());
      await navigate({ to: '/account', replace: true });
    } catch (error) {
      setBusy(false);
      setProblem(problemOf(error));
    }
  }

  return (
    <Page title={t`Confirm your email address`} width="narrow">
      <Text>{t`You asked for this link on the account page.`}</Text>
      <FormProblem problem={problem} />
      <Group>
        <Button loading={isBusy} onClick={() => void confirm()}>{t`Confirm`}</Button>
      </Group>
    </Page>
  );
}
