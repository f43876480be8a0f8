import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useSessionControl } from '../../session/context.js';
import { noPerson, PersonFields } from '../../session/person-fields.js';
import { sessionStatus } from '../../session/status.js';
import { Entrance } from '../../shell/entrance.js';
import { AnchorLink } from '../../ui/links.js';

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
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { organization_name: '', ...noPerson } });

  async function signUp(values: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      session.enter(await session.openApi.session.signUp.mutate(values));
      await navigate({ to: '/start' });
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <form onSubmit={form.onSubmit(signUp)} noValidate>
      <Stack>
        <TextInput
          label={t`Organization`}
          autoComplete="organization"
          autoFocus
          required
          {...form.getInputProps('organization_name')}
        />
        <PersonFields form={form} />
        <FormProblem problem={problem} />
        <Button type="submit" loading={form.submitting}>{t`Create organization`}</Button>
      </Stack>
    </form>
  );
}
