import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { problemOf } from '../../api/errors.js';
import { reasonText } from '../../api/reason-texts.js';
import { FormProblem } from '../../api/server-form.js';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { RequireRole } from '../../session/require-role.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { UndoButton } from '../../undo/undo-button.js';
import { ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { When } from '../../ui/when.js';
import { ChangeList } from './change-list.js';
import { IgnoredColumns } from './ignored-columns.js';
import { ProblemList } from './problem-list.js';
import { StatusBadge } from './status-badge.js';
import { Summary } from './summary.js';

type ImportState = Outputs['imports']['get'];

const askEveryMs = 700;

function isWorking(state: ImportState | undefined): boolean {
  return state?.status === 'checking' || state?.status === 'applying';
}

/** The progress of one import: check, problems, result. The service works in the background; this page shows the state. */
export function ImportRunPage() {
  const { importId } = useParams({ from: '/app/import/$importId' });
  const { trpc, refresh } = useServer();
  const { data, error, refetch } = useQuery({
    ...trpc.imports.get.queryOptions({ import_id: importId }),
    refetchInterval: ({ state }) => (isWorking(state.data) ? askEveryMs : false),
    staleTime: 0,
  });
  const appliedKind = data?.status === 'applied' ? data.kind : undefined;
  useEffect(() => {
    // Other pages may have cached answers from before the import.
    if (appliedKind !== undefined) void refresh(trpc[appliedKind]);
  }, [appliedKind, refresh, trpc]);
  return (
    <Page
      title={data?.file_name ?? t`Import`}
      back={<BackLink to="/import" search={{ kind: data?.kind }}>{t`Import`}</BackLink>}
      description={data && <Description state={data} />}
    >
      <RequireRole needs="manager">
        {data ? (
          <Run state={data} />
        ) : error ? (
          <ProblemState error={error} onRetry={() => void refetch()} />
        ) : (
          <Stack>
            <Skeleton height={90} />
            <Skeleton height={36} width={200} />
          </Stack>
        )}
      </RequireRole>
    </Page>
  );
}

function Description({ state }: { state: ImportState }) {
  return (
    <Group gap="xs" component="span">
      <StatusBadge status={state.status} />
      <span>
        <Trans>
          {quantity(state.row_count, state.kind === 'assets' ? 'asset' : 'location')}, sent{' '}
          <When at={state.created_at} />
        </Trans>
      </span>
    </Group>
  );
}

function Run({ state }: { state: ImportState }) {
  const findings = (state.problem_count ?? 0) + (state.warning_count ?? 0) + state.notice_count;
  return (
    <Stack gap="md">
      {state.failure !== null && (
        <Alert role="alert" color="orange" icon={<IconAlertCircle />} title={t`Nothing was applied`}>
          {reasonText({ name: state.failure })}
        </Alert>
      )}
      {isWorking(state) && <Working state={state} />}
      {(state.status === 'checked' || state.status === 'applied') && <Summary state={state} />}
      {state.status === 'checked' && <IgnoredColumns headers={state.ignored_columns} />}
      <Words state={state} />
      <Actions state={state} />
      {findings > 0 && state.status === 'checked' && <ProblemList state={state} />}
      {state.status === 'checked' && (state.to_change ?? 0) > 0 && <ChangeList importId={state.id} />}
    </Stack>
  );
}

function Working({ state }: { state: ImportState }) {
  const isWriting = state.status === 'applying' && state.done_rows >= state.row_count;
  return (
    <Stack gap="xs">
      <Progress
        aria-label={state.status === 'checking' ? t`Checking` : t`Applying`}
        value={isWriting ? 100 : (state.done_rows / state.row_count) * 100}
        animated
      />
      <Text size="sm" c="dimmed" aria-live="polite">
        {isWriting ? t`Writing all rows at once.` : progressText(state)}{' '}
        <Trans>You can leave this page and come back.</Trans>
      </Text>
    </Stack>
  );
}

function progressText({ status, done_rows: done, row_count: count }: ImportState): string {
  return status === 'checking'
    ? t`${numberText(done)} of ${quantity(count, 'row')} checked.`
    : t`${numberText(done)} of ${quantity(count, 'row')} read.`;
}

function Words({ state }: { state: ImportState }) {
  switch (state.status) {
    case 'uploading':
      return (
        <Text>
          <Trans>
            Only {numberText(state.received_rows)} of {quantity(state.row_count, 'row')} were uploaded. Choose the file
            again.
          </Trans>
        </Text>
      );
    case 'cancelled':
      return <Text>{t`This import was canceled. Nothing was imported.`}</Text>;
    case 'applied':
      return state.undone_at === null ? null : (
        <Text>
          <Trans>
            This import was undone <When at={state.undone_at} />.
          </Trans>
        </Text>
      );
    case 'checked':
      return isNothingToChange(state) ? (
        <Alert role="status" color="green" icon={<IconCircleCheck />} title={t`Nothing to change`}>
          {state.ignored_columns.length > 0
            ? t`The imported columns of all rows match what is stored.`
            : t`All rows match what is stored.`}
        </Alert>
      ) : null;
    default:
      return null;
  }
}

/** Returns whether a file without problems would change nothing. */
function isNothingToChange({ to_create: created, to_change: changed, problem_count: problems }: ImportState): boolean {
  return created === 0 && changed === 0 && problems === 0;
}

function Actions({ state }: { state: ImportState }) {
  const { trpc, answers: queries } = useServer();
  const key = trpc.imports.get.queryKey({ import_id: state.id });
  const onSuccess = (next: ImportState) => queries.setQueryData(key, next);
  const onError = () => void queries.invalidateQueries({ queryKey: key });
  const check = useMutation(trpc.imports.check.mutationOptions({ onSuccess, onError }));
  const apply = useMutation(trpc.imports.applyFile.mutationOptions({ onSuccess, onError }));
  const cancel = useMutation(trpc.imports.cancel.mutationOptions({ onSuccess, onError }));
  const input = { import_id: state.id };
  const error = check.error ?? apply.error;
  const changes = (state.to_create ?? 0) + (state.to_change ?? 0);
  const isReady = state.status === 'checked' && state.problem_count === 0;
  const hasWarnings = (state.warning_count ?? 0) > 0;
  const isOver = state.status === 'applied' || state.status === 'cancelled';
  return (
    <>
      <FormProblem problem={error ? problemOf(error) : null} />
      <Group gap="xs">
        {isReady && changes > 0 && hasWarnings && (
          <ConfirmButton
            variant="filled"
            question={t`Apply despite ${quantity(state.warning_count ?? 0, 'warning')}?`}
            consequence={t`The values are stored as the file has them.`}
            confirm={t`Apply anyway`}
            keep={t`Look again`}
            onConfirm={() => apply.mutateAsync({ ...input, despite_warnings: true })}
          >
            <Trans>Apply to {quantity(changes, state.kind === 'assets' ? 'asset' : 'location')}</Trans>
          </ConfirmButton>
        )}
        {isReady && changes > 0 && !hasWarnings && (
          <Button loading={apply.isPending} onClick={() => apply.mutate(input)}>
            <Trans>Apply to {quantity(changes, state.kind === 'assets' ? 'asset' : 'location')}</Trans>
          </Button>
        )}
        {(state.status === 'received' || state.status === 'checked') && (
          <Button
            variant={state.status === 'received' ? 'filled' : 'default'}
            loading={check.isPending}
            onClick={() => check.mutate(input)}
          >
            {state.status === 'received' ? t`Check` : t`Check again`}
          </Button>
        )}
        {state.status === 'applied' && <ResultLinks kind={state.kind} />}
        <UndoButton label={t`Undo import`} what={{ batchIds: [state.id] }} isOffered={state.is_undoable} />
        {isOver ||
        state.status === 'uploading' ||
        (state.problem_count ?? 0) > 0 ||
        hasWarnings ||
        isNothingToChange(state) ? (
          <ButtonLink to="/import" search={{ kind: state.kind }} variant="default">{t`Choose another file`}</ButtonLink>
        ) : null}
        {!isOver && (
          <ConfirmButton
            variant="subtle"
            question={t`Cancel this import?`}
            consequence={t`The uploaded file is removed. Nothing has been imported.`}
            confirm={t`Cancel the import`}
            keep={t`Keep the import`}
            onConfirm={() => cancel.mutateAsync(input)}
          >
            <Trans>Cancel import</Trans>
          </ConfirmButton>
        )}
      </Group>
    </>
  );
}

function ResultLinks({ kind }: { kind: ImportState['kind'] }) {
  return (
    <ButtonLink to={kind === 'assets' ? '/assets' : '/locations'}>
      {kind === 'assets' ? t`View assets` : t`View locations`}
    </ButtonLink>
  );
}
