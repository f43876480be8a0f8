import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { isOutdated } from '../../api/server-form.js';
import { useServer } from '../../api/use-server.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { EndpointFields, endpointProblems, type EndpointValues } from './endpoint-fields.js';
import type { Endpoint } from './endpoint-status.js';
import { Outdated } from './outdated.js';

/** Changes the name, address and types of events of a webhook. Asks before it overwrites changes of others. */
export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { trpc, api, refresh } = useServer();
  // The webhook when the form was opened; the page may refetch it while somebody types.
  const [{ id, name, url, event_types, updated_at }] = useState(endpoint);
  const [isRefused, setRefused] = useState(false);
  const form = useServerForm<EndpointValues>({
    initialValues: { name, url, event_types },
    validate: endpointProblems,
    send: (values) => save(values),
  });
  const guard = useLeaveGuard(form.isDirty());

  /** Refused if somebody else has changed the webhook since, unless `isForced`. */
  async function save(values: EndpointValues, isForced = false): Promise<void> {
    setRefused(false);
    const base = isForced ? { id } : { id, updated_at };
    try {
      await api.webhooks.update.mutate({ ...values, ...base, name: values.name.trim(), url: values.url.trim() });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      setRefused(true);
      return;
    }
    await refresh(trpc.webhooks);
    notifications.show({ message: t`The changes are saved.` });
    onClose();
  }

  return (
    <ServerForm
      form={form}
      aria-label={t`Edit the webhook`}
      submit={t`Save changes`}
      others={<Button variant="default" onClick={onClose}>{t`Cancel`}</Button>}
    >
      {guard.question}
      <EndpointFields form={form} />
      {isRefused && (
        <Outdated
          title={t`Somebody else has changed this webhook`}
          isBusy={form.submitting}
          onReplace={() => void form.attempt(() => save(form.getValues(), true))}
          onDiscard={() => void refresh(trpc.webhooks).then(onClose)}
        />
      )}
    </ServerForm>
  );
}
