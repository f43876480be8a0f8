import { t } from '@lingui/core/macro';
import { Accordion, Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import { useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { RequireRole } from '../../session/require-role.js';
import { Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { firstOpenStep, type Progress, type StepId, stepAfter, steps } from './steps.js';
import { StepState } from './step-state.js';

/** The first steps of a new organization. The progress follows from the existing rows, however they were created. */
export function StartPage() {
  return (
    <Page
      title={t`First steps`}
      width="narrow"
      description={t`Three steps to the first live move, and one for a colleague. Each can be skipped, and your progress is saved.`}
    >
      <RequireRole needs="admin">
        <Guide />
      </RequireRole>
    </Page>
  );
}

function Guide() {
  const trpc = useTRPC();
  const progress = useQuery(trpc.organizations.firstSteps.queryOptions());
  if (progress.data) return <Steps progress={progress.data} />;
  if (progress.error) return <ProblemState error={progress.error} onRetry={() => void progress.refetch()} />;
  return (
    <Stack gap="xs" aria-hidden>
      {steps.map(({ id }) => (
        <Skeleton key={id} height={54} />
      ))}
    </Stack>
  );
}

/** Opens the first unfinished step. A step stays open when it is completed, so that the person sees the result. */
function Steps({ progress }: { progress: Progress }) {
  const [open, setOpen] = useState(() => firstOpenStep(progress));
  const controls = useRef(new Map<StepId, HTMLButtonElement | null>());

  /** Opens the step after this one, and focuses its heading, since the panel with the focus closes. */
  function goOn(from: StepId): void {
    const next = stepAfter(from);
    setOpen(next);
    if (next !== null) controls.current.get(next)?.focus();
  }

  return (
    <Stack>
      <Accordion variant="separated" order={2} value={open} onChange={(step) => setOpen(step as StepId | null)}>
        {steps.map(({ id, title, isDone, Content }, index) => (
          <Accordion.Item key={id} value={id}>
            <Accordion.Control
              ref={(control) => void controls.current.set(id, control)}
              icon={<StepState number={index + 1} isDone={isDone(progress)} />}
            >
              <Group gap="xs">
                <Text fw={550} component="span">
                  {title}
                </Text>
                {isDone(progress) && <Badge color="green">{t`Done`}</Badge>}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <Content onNext={() => goOn(id)} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <Farewell isComplete={firstOpenStep(progress) === null} />
    </Stack>
  );
}

function Farewell({ isComplete }: { isComplete: boolean }) {
  const { trpc, api, refresh } = useServer();
  const navigate = useNavigate();

  const finish = useMutation({
    mutationFn: async () => {
      await api.organizations.endFirstSteps.mutate();
      await refresh(trpc.organizations);
      await navigate({ to: '/' });
    },
  });

  return (
    <Stack>
      <FormProblem error={finish.error} />
      <Group>
        <Button variant={isComplete ? 'filled' : 'default'} onClick={() => finish.mutate()}>
          {isComplete ? t`Finish` : t`Skip setup`}
        </Button>
        {!isComplete && <Button variant="subtle" onClick={() => void navigate({ to: '/' })}>{t`Finish later`}</Button>}
      </Group>
    </Stack>
  );
}
