import { t } from '@lingui/core/macro';
import { Badge, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { problemOf } from '../../api/errors.js';
import { useServer } from '../../api/use-server.js';

type FreeMarkProps = { locationId: number; canChange: boolean };

/**
 * Whether the assets at a location are free to use. Managers choose it, also for sublocations without a mark of their
 * own.
 */
export function FreeMark({ locationId, canChange }: FreeMarkProps) {
  const { trpc, api, refresh } = useServer();
  const mark = useQuery(trpc.locations.freeMark.queryOptions({ location_id: locationId }));
  const label = t`Assets here are free to use`;
  if (!mark.data) return canChange ? <NativeSelect size="xs" w="fit-content" label={label} disabled data={[]} /> : null;
  const { own, above } = mark.data;
  if (!canChange) return (own ?? above?.says) ? <Badge color="green">{label}</Badge> : null;
  const inherited = above === null ? t`No` : above.says ? t`Yes, as in ${above.name}` : t`No, as in ${above.name}`;

  async function choose(value: string): Promise<void> {
    try {
      await api.locations.setFreeMark.mutate({
        location_id: locationId,
        assets_free: value === '' ? null : value === 'yes',
      });
      await refresh(trpc.locations);
      void refresh(trpc.assets);
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', message: `${title}. ${detail}` });
    }
  }

  return (
    <NativeSelect
      size="xs"
      w="fit-content"
      label={label}
      data={[
        { value: '', label: inherited },
        { value: 'yes', label: t`Yes` },
        ...(above?.says || own === false ? [{ value: 'no', label: t`No` }] : []),
      ]}
      value={own === null ? '' : own ? 'yes' : 'no'}
      onChange={(event) => void choose(event.currentTarget.value)}
    />
  );
}
