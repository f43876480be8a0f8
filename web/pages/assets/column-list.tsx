import { t } from '@lingui/core/macro';
import { Checkbox, Divider, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { useDensity } from '../../ui/density.js';
import { UserText } from '../../ui/user-text.js';
import { assetColumns } from './asset-columns.js';
import { type ColumnChooserProps, detailColumnsMax } from './column-choice.js';

/** The columns that the table can show, and the density of its rows. */
export function ColumnList({ choice, onChange }: ColumnChooserProps) {
  const [density, setDensity] = useDensity();
  return (
    <ScrollArea.Autosize mah="60vh" type="auto">
      <Stack gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t`Row height`}
          value={density}
          onChange={setDensity}
          data={[
            { value: 'compact', label: t`Compact` },
            { value: 'comfortable', label: t`Comfortable` },
          ]}
        />
        {assetColumns.slice(1).map(({ id, header }) => (
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
  );
}

function DetailColumns({ choice, onChange }: ColumnChooserProps) {
  const trpc = useTRPC();
  const used = useQuery(trpc.assets.detailKeys.queryOptions());
  // The table may show a column whose key is no longer in use.
  const keys = [...new Set([...choice.details, ...(used.data?.keys ?? [])])];
  if (keys.length === 0) return null;
  const isFull = choice.details.length >= detailColumnsMax;
  return (
    <>
      <Divider />
      <Text size="xs" c="dimmed">
        {isFull ? t`Custom details (up to ${detailColumnsMax})` : t`Custom details`}
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
