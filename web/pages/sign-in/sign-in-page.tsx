import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSessionControl, useSessionState } from '../../session/context.js';
import { SignInForm } from '../../session/sign-in-form.js';
import { SignOnButton } from '../../session/sign-on-button.js';
import { sessionStatus } from '../../session/status.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink } from '../../ui/links.js';

/** The sign-in page; continues to the page that the person wanted to open. */
export function SignInPage() {
  const { to = '/' } = useSearch({ from: '/sign-in' });
  const { history } = useRouter();
  const { openApi } = useSessionControl();
  const { status } = useSessionState();
  const service = useQuery(sessionStatus(openApi));
  const isIn = status === 'signed-in';
  useEffect(() => {
    if (isIn) history.replace(to);
  }, [isIn, history, to]);
  if (!isIn && service.data?.first_run) return <Navigate to="/welcome" replace />;
  return (
    <Entrance title={t`Sign in`} description={t`See where your assets are.`}>
      <SignOnButton returnTo={to} />
      <SignInForm />
      {service.data?.password_reset && (
        <AnchorLink to="/forgot-password" size="sm">{t`Forgot your password?`}</AnchorLink>
      )}
      <Text size="sm" c="dimmed">
        {service.data?.sign_up_open ? (
          <>
            <Trans>
              New here? <AnchorLink to="/welcome">Create an organization</AnchorLink>
            </Trans>
          </>
        ) : (
          t`No account yet? Ask an administrator of your organization for an invitation.`
        )}
      </Text>
    </Entrance>
  );
}
