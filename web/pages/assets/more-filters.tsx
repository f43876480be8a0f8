import { Autocomplete, Button, Group, NativeSelect, Pill, Popover, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { ReaderSelect } from '../../ui/reader-select.js';
import { UserText } from '../../ui/user-text.js';
import { type AssetSearch, type DetailFilter, detailFiltersMax } from './search.js';
import { type TagType, tagTypes } from './tag-types.js';
import type { ChangeSearch } from './use-asset-search.js';

type FiltersProps = { search: AssetSearch; onChange: ChangeSearch };

/** Filters that are needed less often: by reader, tag type and custom details. */
export function MoreFilters({ search, onChange }: FiltersProps) {
  const count = [search.reader_id, search.tag_type, ...(search.details ?? [])].filter(
    (part) => part !== undefined,
  ).length;
  const reader = useReaderName(search.reader_id);
  return (
    <Popover position="bottom-end" trapFocus withRoles returnFocus width={320}>
      <Popover.Target>
        <Button variant="default" flex="0 0 auto" leftSection={<IconFilter size={16} aria-hidden />}>
          {count === 0 ? 'More filters' : `More filters (${count})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="More filters">
        <Stack gap="sm">
          <ReaderSelect
            label="Last seen by"
            placeholder="Any reader"
            withinPortal={false}
            value={search.reader_id === undefined ? null : { id: search.reader_id, label: reader }}
            onChange={(choice) => onChange({ reader_id: choice?.id })}
          />
          <NativeSelect
            label="Tag type"
            data={[{ value: '', label: 'Any' }, ...tagTypes]}
            value={search.tag_type ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ tag_type: value === '' ? undefined : (value as TagType) })
            }
          />
          <DetailFilterForm details={search.details ?? []} onChange={(details) => onChange({ details })} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const pauseMs = 150;

type DetailFilterFormProps = { details: readonly DetailFilter[]; onChange: (details: readonly DetailFilter[]) => void };

/** Adds a filter by a custom detail, out of the keys and values in use. */
function DetailFilterForm({ details, onChange }: DetailFilterFormProps) {
  const trpc = useTRPC();
  const [key, setKey] = useState<string | null>(null);
  const [value, setValue] = useState('');
  const [q] = useDebouncedValue(value, pauseMs);
  const keys = useQuery(trpc.assets.detailKeys.queryOptions());
  const values = useQuery(
    trpc.assets.detailValues.queryOptions(
      { key: key ?? '', q: q.slice(0, 200) },
      { enabled: key !== null, placeholderData: keepPreviousData },
    ),
  );
  if (keys.data?.keys.length === 0) return null;

  function add(): void {
    if (key === null) return;
    onChange([...details.filter((detail) => detail.key !== key), { key, value }]);
    setKey(null);
    setValue('');
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Stack gap="xs">
        <Select
          label="Custom detail"
          placeholder="Choose a field"
          searchable
          clearable
          comboboxProps={{ withinPortal: false }}
          data={keys.data?.keys ?? []}
          value={key}
          onChange={(next) => {
            setKey(next);
            setValue('');
          }}
        />
        {key !== null && (
          <Autocomplete
            label="Value"
            maxLength={200}
            comboboxProps={{ withinPortal: false }}
            data={values.data?.values ?? []}
            // The service has looked for it already.
            filter={({ options }) => options}
            value={value}
            onChange={setValue}
          />
        )}
        <Group>
          <Button type="submit" size="xs" disabled={key === null || details.length >= detailFiltersMax}>
            Add filter
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The filters that have no field of their own in the row above, each with a way to remove it. */
export function FilterChips({ search, onChange, children }: FiltersProps & { children: ReactNode }) {
  const { reader_id: readerId, tag_type: type, details = [] } = search;
  const reader = useReaderName(readerId);
  const chips: { text: string; remove: () => void }[] = [
    ...(readerId === undefined
      ? []
      : [{ text: `Last seen by ${reader}`, remove: () => onChange({ reader_id: undefined }) }]),
    ...(type === undefined
      ? []
      : [
          {
            text: `Tag type: ${tagTypes.find(({ value }) => value === type)?.label ?? type}`,
            remove: () => onChange({ tag_type: undefined }),
          },
        ]),
    ...details.map((detail) => ({
      text: `${detail.key}: ${detail.value}`,
      remove: () => {
        const rest = details.filter((other) => other !== detail);
        onChange({ details: rest.length === 0 ? undefined : rest });
      },
    })),
  ];
  if (chips.length === 0 && !children) return null;
  return (
    <Group gap="xs">
      {chips.map(({ text, remove }) => (
        <Pill
          key={text}
          size="md"
          withRemoveButton
          onRemove={remove}
          removeButtonProps={{ 'aria-label': `Remove filter ${text}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          <UserText>{text}</UserText>
        </Pill>
      ))}
      {children}
    </Group>
  );
}

/** The name of a reader; its number until it is known. */
function useReaderName(id: number | undefined): string {
  const trpc = useTRPC();
  const readers = useQuery(trpc.readers.overview.queryOptions({ limit: 200 }, { enabled: id !== undefined }));
  return readers.data?.data.find((reader) => reader.id === id)?.name ?? `reader ${id ?? ''}`;
}
