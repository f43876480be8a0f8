import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useSessionControl } from '../../session/context.js';
import { type NewPerson, noPerson, PersonFields } from '../../session/person-fields.js';
import { sessionStatus } from '../../session/status.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink } from '../../ui/links.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';

/** The first run, or open sign-up: creates an organization and its administrator. */
export function WelcomePage() {
  const { openApi } = useSessionControl();
  const status = useQuery(sessionStatus(openApi));
  if (status.data && !status.data.sign_up_open) return <Navigate to="/sign-in" replace />;
  const isFirstRun = status.data?.first_run ?? true;
  return (
    <Entrance
      title={isFirstRun ? t`Welcome to Whereabouts` : t`Create an organization`}
      description={
        isFirstRun
          ? t`Create your organization and your administrator account.`
          : t`You become its administrator and can invite others.`
      }
    >
      <SignUpForm />
      {!isFirstRun && (
        <Text size="sm">
          <Trans>
            Already have an account? <AnchorLink to="/sign-in">Sign in</AnchorLink>
          </Trans>
        </Text>
      )}
    </Entrance>
  );
}

function SignUpForm() {
  const session = useSessionControl();
  const navigate = useNavigate();
  const form = useServerForm({ initialValues: { organization_name: '', ...noPerson }, send: signUp });

  async function signUp(values: NewPerson & { organization_name: string }): Promise<void> {
    session.enter(await session.openApi.session.signUp.mutate(values));
    await navigate({ to: '/start' });
  }

  return (
    <ServerForm form={form} submit={t`Create organization`} isWide>
      <TextInput
        label={t`Organization`}
        autoComplete="organization"
        autoFocus
        required
        {...form.getInputProps('organization_name')}
      />
      <PersonFields form={form} />
    </ServerForm>
  );
}
