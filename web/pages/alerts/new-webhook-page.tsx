import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { useState } from 'react';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { RequireRole } from '../../session/require-role.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
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
  const { trpc, api, refresh } = useServer();
  const form = useServerForm<EndpointValues>({
    initialValues: { name: '', url: '', event_types: [] },
    validate: endpointProblems,
    send: create,
  });
  const guard = useLeaveGuard(form.isDirty());

  async function create({ name, url, event_types }: EndpointValues): Promise<void> {
    onCreated(await api.webhooks.create.mutate({ name: name.trim(), url: url.trim(), event_types }));
    await refresh(trpc.webhooks);
  }

  return (
    <Section title={t`Receiver`}>
      {guard.question}
      <ServerForm
        form={form}
        submit={t`Create webhook`}
        others={<ButtonLink to="/alerts/webhooks" variant="default">{t`Cancel`}</ButtonLink>}
      >
        <EndpointFields form={form} />
      </ServerForm>
    </Section>
  );
}
