import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { RequireRole } from '../../session/require-role.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { Section } from '../assets/section.js';
import { EndpointFields, endpointProblems, type EndpointValues } from './endpoint-fields.js';
import { ShownSecret } from './shown-secret.js';

type Created = Outputs['webhooks']['create'];

/** Adds a webhook, and shows its signing secret once. */
export function NewWebhookPage() {
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <Page
      title={created ? t`Webhook created` : t`New webhook`}
      width="narrow"
      back={<BackLink to="/alerts/webhooks">{t`Webhooks`}</BackLink>}
    >
      <RequireRole needs="admin">
        {created ? (
          <Section title={created.name}>
            <ShownSecret secret={created.secret} />
            <Group>
              <ButtonLink to="/alerts/webhooks/$endpointId" params={{ endpointId: String(created.id) }}>
                <Trans>Continue</Trans>
              </ButtonLink>
            </Group>
          </Section>
        ) : (
          <NewWebhookForm onCreated={setCreated} />
        )}
      </RequireRole>
    </Page>
  );
}

function NewWebhookForm({ onCreated }: { onCreated: (created: Created) => void }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm<EndpointValues>({
    initialValues: { name: '', url: '', event_types: [] },
    validate: endpointProblems,
  });
  const guard = useLeaveGuard(form.isDirty());

  async function create({ name, url, event_types }: EndpointValues): Promise<void> {
    setProblem(null);
    try {
      onCreated(await api.webhooks.create.mutate({ name: name.trim(), url: url.trim(), event_types }));
      await answers.invalidateQueries(trpc.webhooks.pathFilter());
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <Section title={t`Receiver`}>
      {guard.question}
      <form onSubmit={form.onSubmit(create)} noValidate>
        <Stack>
          <EndpointFields form={form} />
          <FormProblem problem={problem} />
          <Group>
            <Button type="submit" loading={form.submitting}>{t`Create webhook`}</Button>
            <ButtonLink to="/alerts/webhooks" variant="default">{t`Cancel`}</ButtonLink>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
