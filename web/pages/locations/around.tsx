import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { instantText } from '../../time/instant.js';
import { LocationLink, ReaderLink } from '../../ui/object-links.js';
import { Section } from '../assets/section.js';
import { AnchorLink } from '../../ui/links.js';
import { ProblemState } from '../../ui/problem-state.js';
import { quantity } from '../../ui/quantity.js';
import { When } from '../../ui/when.js';
import { NewLocationDialog } from './new-location-dialog.js';

const childrenShown = 20;

type SublocationsProps = {
  location: { id: number; name: string };
  canAdd: boolean;
  /** The instant of the counts in epoch milliseconds; null for the present. */
  at: number | null;
};

/** The direct sublocations of a location, with how many assets are in each. */
export function Sublocations({ location, canAdd, at }: SublocationsProps) {
  const { id: locationId } = location;
  const trpc = useTRPC();
  const [isAdding, { open, close }] = useDisclosure(false);
  const level = useQuery(
    trpc.locations.level.queryOptions(
      { parent_id: locationId, limit: childrenShown },
      { placeholderData: (before) => before },
    ),
  );
  const past = useQuery(
    trpc.visits.counts.queryOptions(
      { location_id: locationId, at: instantText(at ?? 0) },
      { enabled: at !== null, staleTime: Infinity, placeholderData: (before) => before },
    ),
  );
  const { data, total_count: total = 0 } = level.data ?? {};
  // A location without assets is not among the counts of an instant.
  const countThen = (id: number) =>
    past.data && (past.data.data.find((row) => row.location_id === id)?.assets_below ?? 0);
  return (
    <Section
      title={t`Sublocations`}
      action={
        canAdd && (
          <Button size="xs" variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {t`Add sublocation`}
          </Button>
        )
      }
    >
      {level.error && <ProblemState error={level.error} onRetry={() => void level.refetch()} />}
      {level.isPending && <Skeleton height={16} />}
      {data?.length === 0 && <Text c="dimmed">{t`None`}</Text>}
      {data?.map(({ id, name, assets_below: here }) => {
        const count = at === null ? here : countThen(id);
        return (
          <Group key={id} justify="space-between" wrap="nowrap" gap="xs">
            <LocationLink id={id} name={name} py={{ base: 10, sm: 0 }} miw={{ base: 44, sm: 0 }} />
            <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {count === undefined ? '…' : quantity(count, 'asset')}
            </Text>
          </Group>
        );
      })}
      {total > childrenShown && (
        <Text size="sm" c="dimmed">
          <Trans>and {quantity(total - childrenShown, 'more location')}</Trans>
        </Text>
      )}
      <AnchorLink to="/locations" search={{ show: locationId }} size="sm">{t`Show in the tree`}</AnchorLink>
      {isAdding && <NewLocationDialog parent={location} onClose={close} onCreated={close} />}
    </Section>
  );
}

/** The readers that place assets here. */
export function ReadersHere({ locationId }: { locationId: number }) {
  const trpc = useTRPC();
  const readers = useQuery(trpc.locations.readers.queryOptions({ location_id: locationId }));
  return (
    <Section title={t`Readers`}>
      {readers.error && <ProblemState error={readers.error} onRetry={() => void readers.refetch()} />}
      {readers.isPending && <Skeleton height={16} />}
      {readers.data?.length === 0 && <Text c="dimmed">{t`No readers here`}</Text>}
      {readers.data?.map(({ id, name, is_own, antennas, last_message_at }) => (
        <div key={id}>
          <ReaderLink id={id} name={name} fw={550} />
          <Text size="sm" c="dimmed" component="div">
            {antennas.length > 0 && `${t`Antenna ${antennas.join(', ')}`} · `}
            {antennas.length === 0 && is_own && `${t`All antennas`} · `}
            <Trans>
              last message <When at={last_message_at} />
            </Trans>
          </Text>
        </div>
      ))}
    </Section>
  );
}
