import { Button, Checkbox, Divider, Popover, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { useDensity } from '../../ui/density.js';
import { UserText } from '../../ui/user-text.js';
import { assetColumns, hiddenAtFirst } from './asset-columns.js';

const storageKey = 'whereabouts-asset-list-columns';

/** Custom details that the service lists in one table. */
export const detailColumnsMax = 10;

/** What the table shows: the columns that are hidden, and keys of custom details that have a column. */
export type ColumnChoice = { hidden: readonly string[]; details: readonly string[] };

const atFirst: ColumnChoice = { hidden: hiddenAtFirst, details: [] };

/** The columns that this browser shows, and a way to change them. */
export function useColumns(): [ColumnChoice, (choice: ColumnChoice) => void] {
  const [kept, setKept] = useLocalStorage<ColumnChoice>({
    key: storageKey,
    defaultValue: atFirst,
    getInitialValueInEffect: false,
  });
  const isReadable = Array.isArray(kept.hidden) && Array.isArray(kept.details);
  return [isReadable ? kept : atFirst, setKept];
}

const detailPrefix = 'detail:';

/** The columns that a choice shows, as a saved view keeps them. */
export function columnsText({ hidden, details }: ColumnChoice): string[] {
  const shown = assetColumns.flatMap(({ id = '' }) => (hidden.includes(id) ? [] : [id]));
  return [...shown, ...details.map((key) => `${detailPrefix}${key}`)];
}

/** The choice that a saved view keeps. */
export function choiceOf(columns: readonly string[]): ColumnChoice {
  const isDetail = (column: string) => column.startsWith(detailPrefix);
  return {
    hidden: assetColumns.flatMap(({ id = '' }, index) => (index === 0 || columns.includes(id) ? [] : [id])),
    details: columns
      .filter(isDetail)
      .map((column) => column.slice(detailPrefix.length))
      .slice(0, detailColumnsMax),
  };
}

type ColumnChooserProps = { choice: ColumnChoice; onChange: (choice: ColumnChoice) => void };

/** Chooses what the table shows and how tightly. The name is always there, as it leads to the asset. */
export function ColumnChooser({ choice, onChange }: ColumnChooserProps) {
  const [density, setDensity] = useDensity();
  return (
    <Popover position="bottom-end" trapFocus withRoles returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <ScrollArea.Autosize mah="60vh" type="auto">
          <Stack gap="xs">
            <SegmentedControl
              size="xs"
              aria-label="Row height"
              value={density}
              onChange={setDensity}
              data={[
                { value: 'compact', label: 'Compact' },
                { value: 'comfortable', label: 'Comfortable' },
              ]}
            />
            {assetColumns.slice(1).map(({ id = '', header }) => (
              <Checkbox
                key={id}
                label={typeof header === 'string' ? header : id}
                checked={!choice.hidden.includes(id)}
                onChange={() => onChange({ ...choice, hidden: toggled(choice.hidden, id) })}
              />
            ))}
            <DetailColumns choice={choice} onChange={onChange} />
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

function DetailColumns({ choice, onChange }: ColumnChooserProps) {
  const trpc = useTRPC();
  const used = useQuery(trpc.assets.detailKeys.queryOptions());
  // A column may be shown whose key is not in use any more.
  const keys = [...new Set([...choice.details, ...(used.data?.keys ?? [])])];
  if (keys.length === 0) return null;
  const isFull = choice.details.length >= detailColumnsMax;
  return (
    <>
      <Divider />
      <Text size="xs" c="dimmed">
        Custom details{isFull && ` (up to ${detailColumnsMax})`}
      </Text>
      {keys.map((key) => (
        <Checkbox
          key={key}
          label={<UserText>{key}</UserText>}
          checked={choice.details.includes(key)}
          disabled={isFull && !choice.details.includes(key)}
          onChange={() => onChange({ ...choice, details: toggled(choice.details, key) })}
        />
      ))}
    </>
  );
}

function toggled(list: readonly string[], item: string): string[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item];
}
