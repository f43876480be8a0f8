import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { EndpointFields, endpointProblems, type EndpointValues } from './endpoint-fields.js';
import type { Endpoint } from './endpoint-status.js';
import { Outdated } from './outdated.js';

/** Changes the name, address and types of events of a webhook. Asks before it overwrites changes of others. */
export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  // The webhook when the form was opened; the page may refetch it while somebody types.
  const [{ id, name, url, event_types, updated_at }] = useState(endpoint);
  const [isOutdated, setOutdated] = useState(false);
  const form = useForm<EndpointValues>({ initialValues: { name, url, event_types }, validate: endpointProblems });
  const guard = useLeaveGuard(form.isDirty());

  const refresh = () => answers.invalidateQueries(trpc.webhooks.pathFilter());

  /** Refused if somebody else has changed the webhook since, unless `isForced`. */
  async function save(values: EndpointValues, isForced = false): Promise<void> {
    setProblem(null);
    setOutdated(false);
    const base = isForced ? { id } : { id, updated_at };
    try {
      await api.webhooks.update.mutate({ ...values, ...base, name: values.name.trim(), url: values.url.trim() });
      await refresh();
      notifications.show({ message: t`The changes are saved.` });
      onClose();
    } catch (error) {
      if (problemOf(error).fields.some(({ field }) => field === 'updated_at')) setOutdated(true);
      else setProblem(applyProblem(form, error));
    }
  }

  return (
    <form onSubmit={form.onSubmit((values) => save(values))} noValidate aria-label={t`Edit the webhook`}>
      {guard.question}
      <Stack>
        <EndpointFields form={form} />
        <FormProblem problem={problem} />
        {isOutdated && (
          <Outdated
            title={t`Somebody else has changed this webhook`}
            isBusy={form.submitting}
            onReplace={() => void save(form.getValues(), true)}
            onDiscard={() => void refresh().then(onClose)}
          />
        )}
        <Group>
          <Button type="submit" loading={form.submitting}>{t`Save changes`}</Button>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
        </Group>
      </Stack>
    </form>
  );
}
