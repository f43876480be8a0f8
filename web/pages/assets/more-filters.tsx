import { t } from '@lingui/core/macro';
import { Button, Group, Pill, Popover, Skeleton } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { UserText } from '../../ui/user-text.js';
import type { AssetSearch } from './search.js';
import { tagTypes } from './tag-types.js';
import type { ChangeSearch } from './use-asset-search.js';
import { lazyPart } from '../../ui/lazy-part.js';

/** Loaded when it is first opened. */
const MoreFiltersForm = lazyPart(() => import('./more-filters-form.js'), 'MoreFiltersForm');

type FiltersProps = { search: AssetSearch; onChange: ChangeSearch };

/** Filters that are needed less often: by the location that assets belong to, reader, tag type, battery and custom details. */
export function MoreFilters({ search, onChange }: FiltersProps) {
  const count = [
    search.belongs_to_id,
    search.reader_id,
    search.tag_type,
    search.battery_low,
    ...(search.details ?? []),
  ].filter((part) => part !== undefined).length;
  const reader = useReaderName(search.reader_id);
  const belongsTo = useLocationName(search.belongs_to_id);
  return (
    <Popover position="bottom-end" trapFocus withRoles returnFocus width={320}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
          {count === 0 ? t`More filters` : t`More filters (${count})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`More filters`}>
        <Suspense fallback={<Skeleton height={220} />}>
          <MoreFiltersForm search={search} reader={reader} belongsTo={belongsTo} onChange={onChange} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The active filters that have no field in the row above, each with a button to remove it. */
export function FilterChips({ search, onChange, children }: FiltersProps & { children: ReactNode }) {
  const { belongs_to_id: belongsToId, reader_id: readerId, tag_type: type, near, details = [] } = search;
  const reader = useReaderName(readerId);
  const nearName = useLocationName(near);
  const belongsTo = useLocationName(belongsToId);
  const chips: { text: string; remove: () => void }[] = [
    ...(readerId === undefined
      ? []
      : [{ text: t`Last seen by ${reader}`, remove: () => onChange({ reader_id: undefined }) }]),
    ...(belongsToId === undefined
      ? []
      : [{ text: t`Belongs to ${belongsTo}`, remove: () => onChange({ belongs_to_id: undefined }) }]),
    ...(near === undefined
      ? []
      : [{ text: t`Nearest to ${nearName} first`, remove: () => onChange({ near: undefined }) }]),
    ...(type === undefined
      ? []
      : [
          {
            text: t`Tag type: ${tagTypes.find(({ value }) => value === type)?.label ?? type}`,
            remove: () => onChange({ tag_type: undefined }),
          },
        ]),
    ...(search.battery_low === undefined
      ? []
      : [{ text: t`Battery below 20 %`, remove: () => onChange({ battery_low: undefined }) }]),
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
          removeButtonProps={{ 'aria-label': t`Remove filter ${text}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          <UserText>{text}</UserText>
        </Pill>
      ))}
      {children}
    </Group>
  );
}

/** Returns the name of a location, once it is known. */
function useLocationName(id: number | undefined): string {
  const trpc = useTRPC();
  const path = useQuery(trpc.locations.path.queryOptions({ location_id: id ?? 0 }, { enabled: id !== undefined }));
  return path.data?.at(-1)?.name ?? '…';
}

/** Returns the name of a reader; its number until it is known. */
function useReaderName(id: number | undefined): string {
  const trpc = useTRPC();
  const readers = useQuery(trpc.readers.overview.queryOptions({ limit: 200 }, { enabled: id !== undefined }));
  return readers.data?.data.find((reader) => reader.id === id)?.name ?? t`reader ${id ?? ''}`;
}
