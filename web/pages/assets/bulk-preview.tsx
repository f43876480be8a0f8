import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { formats } from '../../ui/formats.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Unanswered } from '../../ui/problem-state.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { fieldNames } from './asset-values.js';
import type { BulkChanges } from './use-bulk.js';

type Preview = Outputs['bulkEdits']['preview'];
type Row = Preview['data'][number];
type State = Row['before'];

const columns: Column<Row>[] = [
  {
    id: 'asset',
    header: t`Asset`,
    cell: (row) => (
      <>
        <UserText>{row.name}</UserText>{' '}
        <Text size="xs" c="dimmed" component="span">
          <UserText>{row.external_key}</UserText>
        </Text>
      </>
    ),
  },
  { id: 'before', header: t`Before`, cell: (row) => <Fields state={row.before} other={row.after} /> },
  { id: 'after', header: t`After`, cell: (row) => <Fields state={row.after} other={row.before} /> },
];

type BulkPreviewProps = {
  ids: readonly number[];
  changes: BulkChanges;
  onBack: () => void;
  onConfirm: () => void;
};

/** Shows what each asset would have before and after a change, and how many would change. */
export function BulkPreview({ ids, changes, onBack, onConfirm }: BulkPreviewProps) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const preview = useQuery({
    queryKey: [...trpc.bulkEdits.preview.mutationKey(), ids, changes],
    queryFn: ({ signal }) => api.bulkEdits.preview.mutate({ ids: [...ids], ...changes }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  if (preview.error || !preview.data) return <Unanswered query={preview} height={200} />;
  const { data, changed_count: changed, unchanged_count: unchanged, missing_count: missing } = preview.data;
  return (
    <Stack>
      <Text size="sm" role="status">
        {countText({ changed, unchanged, missing })}
      </Text>
      <DataTable
        caption={t`Preview`}
        columns={columns}
        rows={data}
        rowId={({ id }) => String(id)}
        empty={<EmptyState icon={IconCircleCheck} title={t`Nothing to change`} />}
      />
      {changed > data.length && (
        <Text size="sm" c="dimmed">
          <Trans>And {numberText(changed - data.length)} more.</Trans>
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>{t`Back`}</Button>
        <Button disabled={changed === 0} onClick={onConfirm}>
          <Trans>Change {quantity(changed, 'asset')}</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

function countText({ changed, unchanged, missing }: { changed: number; unchanged: number; missing: number }): string {
  return [
    t`${quantity(changed, 'asset')} will change.`,
    unchanged > 0 &&
      plural(unchanged, {
        one: `${numberText(unchanged)} already has these values.`,
        other: `${numberText(unchanged)} already have these values.`,
      }),
    missing > 0 &&
      plural(missing, {
        one: `${numberText(missing)} asset no longer exists.`,
        other: `${numberText(missing)} assets no longer exist.`,
      }),
  ]
    .filter((text) => text !== false)
    .join(' ');
}

/** The fields that differ from the other state, by name. */
function Fields({ state, other }: { state: State; other: State }) {
  const [own, others] = [linesOf(state), linesOf(other)];
  const names = [...new Set([...own.keys(), ...others.keys()])]
    .filter((name) => own.get(name) !== others.get(name))
    .toSorted();
  return names.map((name) => (
    <div key={name}>
      <Text size="xs" c="dimmed" component="span">
        <UserText>{name}</UserText>:{' '}
      </Text>
      <UserText>{own.get(name) ?? '–'}</UserText>
    </div>
  ));
}

type ShownFields = Required<Omit<State, 'details'>>;

const timeText = (at: string) => formats().dateTime.format(Date.parse(at));

/** What each field is called, and its value as text for people; null for a value that is left out. */
const lineOf: { [Name in keyof ShownFields]: (value: ShownFields[Name]) => [name: string, text: string | null] } = {
  is_active: (isActive) => [t`Status`, isActive ? t`Active` : t`Inactive`],
  kind: (kind) => [fieldNames.kind_id, kind],
  belongs_to: (location) => [fieldNames.belongs_to_id, location],
  description: (description) => [fieldNames.description, description],
  valid_from: (at) => [fieldNames.valid_from, timeText(at)],
  valid_to: (at) => [fieldNames.valid_to, at === null ? t`No end date` : timeText(at)],
};

/** Returns the fields of a state as text for people. */
function linesOf({ details = {}, ...fields }: State): Map<string, string> {
  const lines = new Map<string, string>();
  for (const [field, value] of Object.entries(fields)) {
    const [name, text] = lineOf[field as keyof ShownFields](value as never);
    if (text !== null) lines.set(name, text);
  }
  for (const [key, value] of Object.entries(details)) lines.set(key, value);
  return lines;
}
