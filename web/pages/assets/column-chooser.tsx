import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns } from '@tabler/icons-react';
import { assetColumns, hiddenAtFirst } from './asset-columns.js';

const storageKey = 'whereabouts-asset-columns';

/** The columns that this browser hides, and a way to change them. */
export function useHiddenColumns(): [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const [hidden, setHidden] = useLocalStorage<string[]>({ key: storageKey, defaultValue: hiddenAtFirst });
  return [new Set(Array.isArray(hidden) ? hidden : hiddenAtFirst), (next) => setHidden([...next])];
}

type ColumnChooserProps = { hidden: ReadonlySet<string>; onChange: (hidden: ReadonlySet<string>) => void };

/** Chooses what the table shows. The name is always there, as it leads to the asset. */
export function ColumnChooser({ hidden, onChange }: ColumnChooserProps) {
  function toggle(id: string): void {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  }
  return (
    <Popover position="bottom-end" trapFocus withRoles returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          {assetColumns.slice(1).map(({ id = '', header }) => (
            <Checkbox
              key={id}
              label={typeof header === 'string' ? header : id}
              checked={!hidden.has(id)}
              onChange={() => toggle(id)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
