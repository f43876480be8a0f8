import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { ActionIcon, Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { KindSelect } from '../../kinds/kind-select.js';
import { FilterButton } from '../../ui/filter-panel.js';
import { LocationSelect } from '../../ui/location-select.js';
import { useIsPhone } from '../../ui/use-is-phone.js';
import { useTypedText } from '../../ui/use-typed-text.js';
import classes from './asset-filters.module.css';
import { FilterChips, MoreFilters } from './more-filters.js';
import { type AssetSearch, isFiltered } from './search.js';
import type { AssetChange, ChangeSearch } from './use-asset-search.js';

type FiltersProps = { search: AssetSearch; onChange: ChangeSearch };

/** On a phone, `isOpen` says whether the filters besides the search are shown. */
type AssetFiltersProps = FiltersProps & { isOpen: boolean; onToggle: () => void };

/** The filters of the list. They are kept in the address. */
export function AssetFilters({ search, onChange, isOpen, onToggle }: AssetFiltersProps) {
  const isPhone = useIsPhone();
  const id = useId();
  const count = filterNames.filter((name) => search[name] !== undefined).length;
  return (
    <Stack gap={6}>
      <div className={classes['filters']}>
        <div className={classes['search']}>
          <SearchField q={search.q ?? ''} onChange={onChange} />
          {isPhone && <FilterButton count={count} isOpen={isOpen} controls={id} onToggle={onToggle} />}
        </div>
        <div className={classes['others']} id={id} hidden={isPhone && !isOpen}>
          <LocationFilter locationId={search.location_id} onChange={onChange} />
          <KindSelect
            label={t`Kind`}
            none={t`Any`}
            value={search.kind_id ?? null}
            onChange={(kindId) => onChange({ kind_id: kindId ?? undefined })}
          />
          <Choice label={t`Status`} options={statuses} search={search} onChange={onChange} />
          <Choice label={t`Last seen`} options={sightings} search={search} onChange={onChange} />
          <MoreFilters search={search} onChange={onChange} />
        </div>
      </div>
      <FilterChips search={search} onChange={onChange}>
        {isFiltered(search) && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(everything)}>{t`Clear filters`}</Button>
        )}
      </FilterChips>
    </Stack>
  );
}

const pauseMs = 250;

function SearchField({ q, onChange }: { q: string; onChange: ChangeSearch }) {
  const [text, setText] = useTypedText(q);
  const send = useDebouncedCallback((next: string) => {
    // One step back removes the whole search text, not its last letter.
    if (next.trim() !== q) onChange({ q: next.trim() || undefined }, { replace: q !== '' && next.trim() !== '' });
  }, pauseMs);
  useEffect(() => () => send.flush(), [send]);

  function type(next: string): void {
    setText(next);
    send(next);
  }

  return (
    <TextInput
      type="search"
      label={t`Search`}
      placeholder={t`Name, key, description or tag`}
      maxLength={255}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={
        text !== '' && (
          <ActionIcon aria-label={t`Clear search`} onClick={() => type('')}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )
      }
    />
  );
}

function LocationFilter({ locationId, onChange }: { locationId: number | undefined; onChange: ChangeSearch }) {
  const trpc = useTRPC();
  const path = useQuery(
    trpc.locations.path.queryOptions({ location_id: locationId ?? 0 }, { enabled: locationId !== undefined }),
  );
  const name = path.data?.at(-1)?.name ?? (locationId === undefined ? '' : t`Location ${locationId}`);
  return (
    <LocationSelect
      label={t`Location (incl. sublocations)`}
      placeholder={t`Anywhere`}
      value={locationId === undefined ? null : { id: locationId, label: name }}
      onChange={(choice) => onChange({ location_id: choice?.id })}
    />
  );
}

type Option = { value: string; label: string; change: AssetChange };

const anyStatus = {
  is_active: undefined,
  in_effect: undefined,
  free: undefined,
  has_problem: undefined,
  away: undefined,
};

const statuses: readonly Option[] = [
  { value: 'any', label: t`Any`, change: anyStatus },
  { value: 'free', label: t`Free`, change: { ...anyStatus, free: true } },
  { value: 'away', label: t`Away`, change: { ...anyStatus, away: true } },
  { value: 'problem', label: t`With open problems`, change: { ...anyStatus, has_problem: true } },
  { value: 'active', label: t`Active and valid`, change: { ...anyStatus, is_active: true, in_effect: true } },
  { value: 'inactive', label: t`Inactive`, change: { ...anyStatus, is_active: false } },
  { value: 'invalid', label: t`Expired or not valid yet`, change: { ...anyStatus, in_effect: false } },
];

const anyTime = { seen: undefined, unseen_days: undefined, moved: undefined };

const sightings: readonly Option[] = [
  { value: 'any', label: t`Any time`, change: anyTime },
  { value: 'moved', label: t`Moved today`, change: { ...anyTime, moved: 'today' } },
  { value: 'seen', label: t`Seen`, change: { ...anyTime, seen: true } },
  { value: '1', label: t`Not in the last day`, change: { ...anyTime, unseen_days: 1 } },
  { value: '7', label: t`Not in the last 7 days`, change: { ...anyTime, unseen_days: 7 } },
  { value: '30', label: t`Not in the last 30 days`, change: { ...anyTime, unseen_days: 30 } },
  { value: '90', label: t`Not in the last 90 days`, change: { ...anyTime, unseen_days: 90 } },
  { value: 'never', label: t`Never`, change: { ...anyTime, seen: false } },
];

/** The filters that are behind the button on a phone. */
const filterNames = [
  'location_id',
  'kind_id',
  'is_active',
  'in_effect',
  'free',
  'has_problem',
  'away',
  'belongs_to_id',
  'seen',
  'unseen_days',
  'moved',
  'reader_id',
  'tag_type',
  'battery_low',
  'details',
] as const satisfies readonly (keyof AssetSearch)[];

const everything: AssetChange = {
  q: undefined,
  location_id: undefined,
  kind_id: undefined,
  belongs_to_id: undefined,
  reader_id: undefined,
  tag_type: undefined,
  battery_low: undefined,
  details: undefined,
  ...anyStatus,
  ...anyTime,
};

type ChoiceProps = FiltersProps & { label: string; options: readonly Option[] };

function Choice({ label, options, search, onChange }: ChoiceProps) {
  const chosen = options.find(({ change }) =>
    Object.entries(change).every(([key, value]) => search[key as keyof AssetSearch] === value),
  );
  return (
    <NativeSelect
      label={label}
      data={[
        ...options.map(({ value, label: text }) => ({ value, label: text })),
        // An address can have a value that is not among the choices here.
        ...(chosen ? [] : [{ value: 'other', label: otherLabel(search) }]),
      ]}
      value={chosen?.value ?? 'other'}
      onChange={(event) => {
        const next = options.find(({ value }) => value === event.currentTarget.value);
        if (next) onChange(next.change);
      }}
    />
  );
}

function otherLabel({ unseen_days: days }: AssetSearch): string {
  return days === undefined ? t`Other` : t`Not in the last ${numberText(days)} days`;
}
