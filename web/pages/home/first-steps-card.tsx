import { t } from '@lingui/core/macro';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormProblem } from '../../api/server-form.js';
import { problemOf } from '../../api/errors.js';
import { useServer } from '../../api/use-server.js';
import { ButtonLink } from '../../ui/links.js';
import { InviteButton } from '../settings/invite-button.js';
import { StepState } from '../start/step-state.js';
import type { Progress } from '../start/steps.js';
import { hasOpenSteps } from './open-steps.js';
import { SampleDataButton } from './sample-data-button.js';

/** Offers the first steps while some are open and not dismissed, and the removal of sample data. */
export function FirstStepsCard({ progress }: { progress: Progress }) {
  if (hasOpenSteps(progress)) return <OpenSteps progress={progress} />;
  return (
    <Paper withBorder p="md">
      <SampleStep isPresent />
    </Paper>
  );
}

function OpenSteps({ progress }: { progress: Progress }) {
  const { trpc, refresh } = useServer();
  const end = useMutation(
    trpc.organizations.endFirstSteps.mutationOptions({
      onSuccess: () => refresh(trpc.organizations.firstSteps),
    }),
  );
  const { has_asset: hasAsset, has_sample: hasSample, has_live_reader, has_colleague } = progress;
  return (
    <Paper withBorder p="md" component="section" aria-label={t`First steps`}>
      <Stack>
        <Group justify="space-between" gap="md">
          <Title order={2} size="h4">{t`First steps`}</Title>
          <Group gap="xs">
            <Button variant="subtle" loading={end.isPending} onClick={() => end.mutate()}>{t`Dismiss`}</Button>
            <ButtonLink variant="default" to="/start">{t`Step by step`}</ButtonLink>
          </Group>
        </Group>
        <FormProblem problem={end.error && problemOf(end.error)} />
        {(hasSample || !hasAsset) && <SampleStep isPresent={hasSample} />}
        <Step isDone={hasAsset} title={t`An asset`} text={t`Create something you want to track, or import a list.`}>
          <ButtonLink variant="default" to="/assets/new">{t`New asset`}</ButtonLink>
          <ButtonLink variant="default" to="/import">{t`Import`}</ButtonLink>
        </Step>
        <Step isDone={has_live_reader} title={t`A reader`} text={t`Connect the device that sees your tags.`}>
          <ButtonLink variant="default" to="/readers/new">{t`Add reader`}</ButtonLink>
        </Step>
        <Step isDone={has_colleague} title={t`A colleague`} text={t`Invite somebody who looks for things, too.`}>
          <InviteButton variant="default" />
        </Step>
      </Stack>
    </Paper>
  );
}

function SampleStep({ isPresent }: { isPresent: boolean }) {
  return (
    <Step
      isDone={isPresent}
      title={t`Sample data`}
      text={
        isPresent
          ? t`A sample warehouse with a floor plan and eight assets is there. Remove it when you no longer need it.`
          : t`Look around in a small warehouse with a floor plan and eight assets. One click removes it again.`
      }
    >
      <SampleDataButton isPresent={isPresent} />
    </Step>
  );
}

type StepProps = { isDone: boolean; title: string; text: string; children: ReactNode };

function Step({ isDone, title, text, children }: StepProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm" wrap="nowrap" flex="1 1 280px" miw={0}>
        <StepState isDone={isDone} />
        <div>
          <Text fw={550} component="h3">
            {title}
          </Text>
          <Text c="dimmed" size="sm">
            {text}
          </Text>
        </div>
      </Group>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
