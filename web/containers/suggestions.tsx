import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import { type Outputs, useTRPCClient } from '../api/trpc.js';
import { quantity } from '../ui/quantity.js';
import { UserText } from '../ui/user-text.js';
import { When } from '../ui/when.js';
import { useContaining } from './use-containing.js';
import type { NamedAsset } from './words.js';

type Suggestion = Outputs['containers']['suggestions']['data'][number];

/** Finds assets that always moved with a container, with the evidence, and puts the chosen ones in. */
export function Suggestions({ container }: { container: NamedAsset }) {
  const api = useTRPCClient();
  const [found, setFound] = useState<readonly Suggestion[]>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function find(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      setFound((await api.containers.suggestions.mutate({ container_id: container.id })).data);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Group>
        <Button
          size="xs"
          variant="subtle"
          loading={isBusy}
          leftSection={<IconBulb size={16} aria-hidden />}
          onClick={() => void find()}
        >
          <Trans>Suggest contents</Trans>
        </Button>
      </Group>
      <FormProblem problem={problem} />
      {found?.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t`No asset always moved with it in the last 30 days.`}
        </Text>
      )}
      {found && found.length > 0 && (
        <Found key={found.length} container={container} found={found} onDone={() => setFound(undefined)} />
      )}
    </>
  );
}

type FoundProps = { container: NamedAsset; found: readonly Suggestion[]; onDone: () => void };

function Found({ container, found, onDone }: FoundProps) {
  const { putIn } = useContaining();
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const ids = found.map(({ asset }) => asset.id).filter((id) => !left.has(id));

  async function put(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await putIn(container, ids);
      onDone();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  }

  return (
    <Paper withBorder p="md" component="section" aria-label={t`Suggested contents`}>
      <Stack gap="sm">
        <Text fw={600}>
          {plural(found.length, {
            one: '# asset always moved with it in the last 30 days',
            other: '# assets always moved with it in the last 30 days',
          })}
        </Text>
        {found.map((suggestion) => (
          <Checkbox
            key={suggestion.asset.id}
            checked={!left.has(suggestion.asset.id)}
            onChange={(event) => {
              const next = new Set(left);
              if (event.currentTarget.checked) next.delete(suggestion.asset.id);
              else next.add(suggestion.asset.id);
              setLeft(next);
            }}
            label={<UserText>{suggestion.asset.name}</UserText>}
            description={<Evidence suggestion={suggestion} />}
          />
        ))}
        <FormProblem problem={problem} />
        <Group>
          <Button size="xs" loading={isBusy} disabled={ids.length === 0} onClick={() => void put()}>
            <Trans>Put {quantity(ids.length, 'asset')} in</Trans>
          </Button>
          <Button size="xs" variant="subtle" onClick={onDone}>{t`Dismiss`}</Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Evidence({ suggestion: { times, last_at: lastAt, locations } }: { suggestion: Suggestion }) {
  return (
    <>
      <Trans>
        Arrived with it {quantity(times, 'time')}, last <When at={lastAt} />:
      </Trans>{' '}
      <UserText>{locations.join(', ')}</UserText>
    </>
  );
}
