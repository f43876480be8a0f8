import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Autocomplete, Button, Checkbox, Group, NativeSelect, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { LocationSelect } from '../../ui/location-select.js';
import { ReaderSelect } from '../../ui/reader-select.js';
import { type AssetSearch, type DetailFilter, detailFiltersMax } from './search.js';
import { type TagType, tagTypes } from './tag-types.js';
import type { ChangeSearch } from './use-asset-search.js';

type MoreFiltersFormProps = {
  search: AssetSearch;
  /** The name of the reader in the filter. */
  reader: string;
  /** The name of the location that assets belong to. */
  belongsTo: string;
  onChange: ChangeSearch;
};

/** The fields of filters by the location that assets belong to, reader, tag type, battery and custom details. */
export function MoreFiltersForm({ search, reader, belongsTo, onChange }: MoreFiltersFormProps) {
  return (
    <Stack gap="sm">
      <LocationSelect
        label={t`Belongs to (incl. sublocations)`}
        placeholder={t`Any location`}
        withinPortal={false}
        value={search.belongs_to_id === undefined ? null : { id: search.belongs_to_id, label: belongsTo }}
        onChange={(choice) => onChange({ belongs_to_id: choice?.id })}
      />
      <ReaderSelect
        label={t`Last seen by`}
        placeholder={t`Any reader`}
        withinPortal={false}
        value={search.reader_id === undefined ? null : { id: search.reader_id, label: reader }}
        onChange={(choice) => onChange({ reader_id: choice?.id })}
      />
      <NativeSelect
        label={t`Tag type`}
        data={[{ value: '', label: t`Any` }, ...tagTypes]}
        value={search.tag_type ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ tag_type: value === '' ? undefined : (value as TagType) })
        }
      />
      <Checkbox
        label={t`Battery below 20 %`}
        checked={search.battery_low === true}
        onChange={({ currentTarget: { checked } }) => onChange({ battery_low: checked ? true : undefined })}
      />
      <DetailFilterForm details={search.details ?? []} onChange={(details) => onChange({ details })} />
    </Stack>
  );
}

const pauseMs = 150;

type DetailFilterFormProps = { details: readonly DetailFilter[]; onChange: (details: readonly DetailFilter[]) => void };

/** Adds a filter by a custom detail, from the keys and values in use. */
function DetailFilterForm({ details, onChange }: DetailFilterFormProps) {
  const trpc = useTRPC();
  const field = useRef<HTMLInputElement>(null);
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
    // The button is disabled now, and without the focus Esc would no longer close the form.
    field.current?.focus();
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
          label={t`Custom detail`}
          placeholder={t`Choose a field`}
          ref={field}
          searchable
          openOnFocus={false}
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
            label={t`Value`}
            maxLength={200}
            comboboxProps={{ withinPortal: false }}
            data={values.data?.values ?? []}
            // The service has already filtered the options.
            filter={({ options }) => options}
            value={value}
            onChange={setValue}
          />
        )}
        <Group>
          <Button type="submit" size="xs" disabled={key === null || details.length >= detailFiltersMax}>
            <Trans>Add filter</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
