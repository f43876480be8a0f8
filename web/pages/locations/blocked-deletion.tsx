import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { AssetLink, LocationLink } from '../../ui/object-links.js';
import { ProblemState } from '../../ui/problem-state.js';
import { numberText, quantity } from '../../ui/quantity.js';

const shownMax = 5;

type BlockedDeletionProps = { location: { id: number; name: string }; onClose: () => void };

/** Shows what prevents the deletion of a location. */
export function BlockedDeletion({ location, onClose }: BlockedDeletionProps) {
  const trpc = useTRPC();
  const children = useQuery(trpc.locations.level.queryOptions({ parent_id: location.id, limit: shownMax }));
  const assets = useQuery(trpc.locations.contents.queryOptions({ location_id: location.id, limit: shownMax }));
  const failure = children.error ?? assets.error;
  return (
    <Modal opened onClose={onClose} title={t`Not deleted: ${location.name}`}>
      <Stack>
        <Text>{t`It cannot be deleted while something is in it. Move or remove first:`}</Text>
        {failure && (
          <ProblemState error={failure} onRetry={() => void Promise.all([children.refetch(), assets.refetch()])} />
        )}
        {!failure && !(children.data && assets.data) && <Skeleton height={48} />}
        {children.data && assets.data && (
          <>
            <Blockers
              title={quantity(children.data.total_count, 'location')}
              total={children.data.total_count}
              items={children.data.data.map(({ id, name }) => ({ id, name }))}
              kind="location"
            />
            <Blockers
              title={quantity(assets.data.total_count, 'asset')}
              total={assets.data.total_count}
              items={assets.data.data.map(({ id, name }) => ({ id, name }))}
              kind="asset"
            />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t`Close`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

type BlockersProps = {
  title: string;
  total: number;
  items: readonly { id: number; name: string }[];
  kind: 'location' | 'asset';
};

function Blockers({ title, total, items, kind }: BlockersProps) {
  if (total === 0) return null;
  return (
    <div>
      <Text fw={600}>{title}</Text>
      <List size="sm">
        {items.map(({ id, name }) => (
          <List.Item key={id}>
            {kind === 'location' ? <LocationLink id={id} name={name} /> : <AssetLink id={id} name={name} />}
          </List.Item>
        ))}
        {total > items.length && (
          <List.Item>
            <Trans>and {numberText(total - items.length)} more</Trans>
          </List.Item>
        )}
      </List>
    </div>
  );
}
