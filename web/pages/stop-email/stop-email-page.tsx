import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FormProblem } from '../../api/server-form.js';
import { useSessionControl } from '../../session/context.js';
import { IncompleteLink, incompleteTitle, useMailedToken } from '../../session/incomplete-link.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink } from '../../ui/links.js';

/** The page of the link that stops scheduled emails or alerts by email, also for people who are not signed in. */
export function StopEmailPage() {
  const token = useMailedToken('stop-email');
  const { openApi } = useSessionControl();
  const stop = useMutation({ mutationFn: (whole: string) => openApi.scheduledEmails.stop.mutate({ token: whole }) });

  if (token === null) {
    return (
      <Entrance title={incompleteTitle}>
        <IncompleteLink />
        <AnchorLink to="/account">{t`Account`}</AnchorLink>
      </Entrance>
    );
  }
  if (stop.data) {
    return (
      <Entrance title={t`Emails stopped`}>
        <Text role="status">
          {stop.data.stopped === 'scheduled'
            ? t`You can resume them on your account page.`
            : t`A manager of the organization can add you to the alert rule again.`}
        </Text>
        <AnchorLink to="/account">{t`Account`}</AnchorLink>
      </Entrance>
    );
  }
  return (
    <Entrance title={t`Stop these emails?`}>
      <Text>{t`You no longer get emails like this one from Whereabouts. Others stay as they are.`}</Text>
      <FormProblem error={stop.error} />
      <Button loading={stop.isPending} onClick={() => stop.mutate(token)}>{t`Stop emails`}</Button>
    </Entrance>
  );
}
