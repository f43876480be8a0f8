import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Progress, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { ButtonLink } from '../../ui/links.js';

/** Links an administrator to the first steps while some are open and not dismissed. */
export function FirstStepsCard() {
  const { can } = useSession();
  return can('admin') ? <OpenSteps /> : null;
}

function OpenSteps() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data } = useQuery(trpc.organizations.firstSteps.queryOptions());
  const end = useMutation(
    trpc.organizations.endFirstSteps.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.organizations.firstSteps.pathFilter()),
    }),
  );
  if (!data || data.has_ended) return null;
  const done = [data.has_location, data.has_tagged_asset, data.has_live_reader, data.has_key];
  const count = done.filter(Boolean).length;
  if (count === done.length) return null;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="md">
        <div>
          <Title order={2} size="h4">{t`First steps`}</Title>
          <Text c="dimmed" size="sm">
            <Trans>
              {count} of {done.length} done: a location, an asset with a tag, a reader, an API key.
            </Trans>
          </Text>
          <Progress
            value={(count / done.length) * 100}
            mt="xs"
            aria-label={t`${count} of ${done.length} first steps`}
          />
        </div>
        <Group gap="xs">
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>{t`Dismiss`}</Button>
          <ButtonLink to="/start">{count === 0 ? t`Start` : t`Continue`}</ButtonLink>
        </Group>
      </Group>
    </Paper>
  );
}
