import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useSessionControl } from '../../session/context.js';
import { IncompleteLink, incompleteTitle, useMailedToken } from '../../session/incomplete-link.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink } from '../../ui/links.js';

/** The page of the link that stops scheduled emails, also for people who are not signed in. */
export function StopEmailPage() {
  const token = useMailedToken('stop-email');
  const { openApi } = useSessionControl();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [state, setState] = useState<'asked' | 'busy' | 'stopped'>('asked');

  async function stop(whole: string): Promise<void> {
    setState('busy');
    setProblem(null);
    try {
      await openApi.scheduledEmails.stop.mutate({ token: whole });
      setState('stopped');
    } catch (error) {
      setProblem(problemOf(error));
      setState('asked');
    }
  }

  if (token === null) {
    return (
      <Entrance title={incompleteTitle}>
        <IncompleteLink />
        <AnchorLink to="/account">{t`Account`}</AnchorLink>
      </Entrance>
    );
  }
  if (state === 'stopped') {
    return (
      <Entrance title={t`Emails stopped`}>
        <Text role="status">{t`You can resume them on your account page.`}</Text>
        <AnchorLink to="/account">{t`Account`}</AnchorLink>
      </Entrance>
    );
  }
  return (
    <Entrance title={t`Stop these emails?`}>
      <Text>{t`You no longer get this scheduled email from Whereabouts. Others stay as they are.`}</Text>
      <FormProblem problem={problem} />
      <Button loading={state === 'busy'} onClick={() => void stop(token)}>{t`Stop emails`}</Button>
    </Entrance>
  );
}
