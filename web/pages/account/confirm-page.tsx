import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FormProblem } from '../../api/server-form.js';
import { useServer } from '../../api/use-server.js';
import { IncompleteLink, incompleteTitle, useMailedToken } from '../../session/incomplete-link.js';
import { AnchorLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';

/** The page of the link that confirms the address of the account. */
export function ConfirmPage() {
  const token = useMailedToken('confirm');
  const { trpc, api, refresh } = useServer();
  const navigate = useNavigate();

  const confirm = useMutation({
    mutationFn: async (whole: string) => {
      await api.session.confirmAddress.mutate({ token: whole });
      await refresh(trpc.session.signInMeans);
      await navigate({ to: '/account', replace: true });
    },
  });

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
      <FormProblem error={confirm.error} />
      <Group>
        <Button loading={confirm.isPending} onClick={() => confirm.mutate(token)}>{t`Confirm`}</Button>
      </Group>
    </Page>
  );
}
