import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';

type KindSelectProps = Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> & {
  /** The label of the choice "no kind". */
  none: string;
  value: number | null;
  onChange: (kindId: number | null) => void;
};

/** Chooses one of the organization's kinds of assets, or none. */
export function KindSelect({ none, value, onChange, ...props }: KindSelectProps) {
  const trpc = useTRPC();
  const kinds = useQuery(trpc.assetKinds.list.queryOptions());
  const options = (kinds.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const isKnown = value === null || options.some((option) => option.value === String(value));
  return (
    <NativeSelect
      {...props}
      data={[{ value: '', label: none }, ...options, ...(isKnown ? [] : [{ value: String(value), label: '…' }])]}
      value={value === null ? '' : String(value)}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
    />
  );
}
