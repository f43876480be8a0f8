import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { EndpointFields, endpointProblems, type EndpointValues } from './endpoint-fields.js';
import type { Endpoint } from './endpoint-status.js';

/** Changes the name, address and types of events of a webhook. */
export function EditEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  const { id, name, url, event_types } = endpoint;
  const form = useForm<EndpointValues>({ initialValues: { name, url, event_types }, validate: endpointProblems });
  const guard = useLeaveGuard(form.isDirty());

  async function save(values: EndpointValues): Promise<void> {
    setProblem(null);
    try {
      await api.webhooks.update.mutate({ ...values, id, name: values.name.trim(), url: values.url.trim() });
      await answers.invalidateQueries(trpc.webhooks.pathFilter());
      notifications.show({ message: 'The changes are saved.' });
      onClose();
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <form onSubmit={form.onSubmit(save)} noValidate aria-label="Edit the webhook">
      {guard.question}
      <Stack>
        <EndpointFields form={form} />
        <FormProblem problem={problem} />
        <Group>
          <Button type="submit" loading={form.submitting}>
            Save changes
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
