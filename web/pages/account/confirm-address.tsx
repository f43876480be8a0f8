import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';

/** Requests a mail with a link that confirms the address of the account; renders nothing once it is confirmed. */
export function ConfirmAddress() {
  const trpc = useTRPC();
  const { data: means } = useQuery(trpc.session.signInMeans.queryOptions());
  if (!means || means.is_email_proven || !means.has_password || !means.can_confirm_email) return null;
  return <ConfirmForm />;
}

function ConfirmForm() {
  const api = useTRPCClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isMailed, setMailed] = useState(false);
  const form = useForm({ initialValues: { password: '' } });

  async function request(values: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      await api.session.requestAddressConfirmation.mutate(values);
      setMailed(true);
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  if (isMailed) {
    return <Text role="status">{t`We sent you a link. Open it in this browser within an hour.`}</Text>;
  }
  return (
    <form onSubmit={form.onSubmit(request)} noValidate>
      <Stack>
        <Text size="sm">
          <Trans>
            Your email address is not confirmed. Until it is, choosing a new password by email removes the API keys that
            you created.
          </Trans>
        </Text>
        <PasswordInput
          label={t`Your password`}
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        <FormProblem problem={problem} />
        <Group>
          <Button type="submit" variant="default" loading={form.submitting}>{t`Send confirmation link`}</Button>
        </Group>
      </Stack>
    </form>
  );
}
