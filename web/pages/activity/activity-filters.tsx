import { t } from '@lingui/core/macro';
import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { entryPointNames, kindNames } from '../../activity/words.js';
import { useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import type { ActivitySearch } from './search.js';

const kindsOfManagers = ['asset', 'location', 'audit', 'import', 'alert_rule'];

type Props = { search: ActivitySearch; onChange: (search: ActivitySearch) => void };

/** Filters the list of changes; the filters are stored in the address. */
export function ActivityFilters({ search, onChange }: Props) {
  const trpc = useTRPC();
  const { can } = useSession();
  const actors = useQuery(trpc.activity.actors.queryOptions());
  const kinds = Object.entries(kindNames).filter(([kind]) => can('admin') || kindsOfManagers.includes(kind));

  function set(name: keyof ActivitySearch, value: string): void {
    const { [name]: _before, ...rest } = search;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  }

  const selects = [
    { name: 'kind', label: t`Object`, any: t`All objects`, choices: kinds.map(([value, label]) => ({ value, label })) },
    {
      name: 'actor',
      label: t`Changed by`,
      any: t`Everybody`,
      choices: (actors.data?.data ?? []).map(({ value, name, kind }) => ({
        value,
        label: kind === 'key' ? t`${name} (API key)` : name,
      })),
    },
    {
      name: 'entry_point',
      label: t`Entry point`,
      any: t`All entry points`,
      choices: Object.entries(entryPointNames).map(([value, label]) => ({ value, label })),
    },
  ] as const;

  return (
    <Group gap="sm" align="flex-end">
      {selects.map(({ name, label, any, choices }) => (
        <NativeSelect
          key={name}
          label={label}
          value={search[name] ?? ''}
          onChange={(event) => set(name, event.currentTarget.value)}
          data={[{ value: '', label: any }, ...choices]}
        />
      ))}
      <TextInput
        type="date"
        label={t`From`}
        value={search.from ?? ''}
        onChange={(event) => set('from', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t`To`}
        value={search.to ?? ''}
        onChange={(event) => set('to', event.currentTarget.value)}
      />
    </Group>
  );
}
