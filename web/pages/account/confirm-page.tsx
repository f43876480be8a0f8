import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { IncompleteLink, incompleteTitle, useMailedToken } from '../../session/incomplete-link.js';
import { AnchorLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';

/** The page of the link that confirms the address of the account. */
export function ConfirmPage() {
  const token = useMailedToken('confirm');
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function confirm(whole: string): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await api.session.confirmAddress.mutate({ token: whole });
      await answers.invalidateQueries(trpc.session.signInMeans.pathFilter());
      await navigate({ to: '/account', replace: true });
    } catch (error) {
      setBusy(false);
      setProblem(problemOf(error));
    }
  }

  if (token === null) {
    return (
      <Page title={incompleteTitle} width="narrow">
        <IncompleteLink />
        <AnchorLink to="/account">{t`Account`}</AnchorLink>
      </Page>
    );
  }
  return (
    <Page title={t`Confirm your email address`} width="narrow">
      <Text>{t`You asked for this link on the account page.`}</Text>
      <FormProblem problem={problem} />
      <Group>
        <Button loading={isBusy} onClick={() => void confirm(token)}>{t`Confirm`}</Button>
      </Group>
    </Page>
  );
}
