import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useUndoDeletion } from '../../trash/use-undo-deletion.js';
import { AnchorLink } from '../../ui/links.js';
import { ProblemState } from '../../ui/problem-state.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { useRefreshLocations } from './use-move.js';

const shownMax = 5;

type DeleteDialogProps = {
  location: { id: number; name: string };
  onClose: () => void;
  onDeleted?: () => Promise<void>;
};

/** Deletes a location, or shows what prevents it. The service checks again when it deletes. */
export function DeleteDialog({ location, onClose, onDeleted }: DeleteDialogProps) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const refresh = useRefreshLocations();
  const undoDeletion = useUndoDeletion();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const children = useQuery(trpc.locations.level.queryOptions({ parent_id: location.id, limit: shownMax }));
  const assets = useQuery(trpc.locations.contents.queryOptions({ location_id: location.id, limit: shownMax }));
  const own = useQuery(trpc.assets.table.queryOptions({ belongs_to_id: location.id, sort: undefined, limit: 1 }));
  const ownCount = own.data?.total_count ?? 0;
  const failure = children.error ?? assets.error;
  const isBlocked = (children.data?.total_count ?? 0) > 0 || (assets.data?.total_count ?? 0) > 0;

  async function act(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await api.locations.delete.mutate({ location_id: location.id });
      // Leaves the page first, so that the deleted location is not requested again.
      await onDeleted?.();
      onClose();
      await refresh();
      undoDeletion({ kind: 'location', id: location.id, name: location.name });
    } catch (error) {
      setProblem(problemOf(error));
      await refresh();
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal opened onClose={onClose} title={t`Delete ${location.name}?`}>
      <Stack>
        {failure && (
          <ProblemState error={failure} onRetry={() => void Promise.all([children.refetch(), assets.refetch()])} />
        )}
        {!failure && !(children.data && assets.data) && <Skeleton height={48} />}
        {children.data && assets.data && !isBlocked && (
          <Text>
            <Trans>
              Its key and tags can be used again. Reads of readers in it have no location until the readers are moved.
              It can be restored for 30 days.
            </Trans>
          </Text>
        )}
        {!isBlocked && ownCount > 0 && (
          <div>
            <AnchorLink to="/assets" search={{ belongs_to_id: location.id }}>
              {t`Assets that belong to it: ${numberText(ownCount)}`}
            </AnchorLink>
            <Text>{t`They show it as deleted, and do not count as away, until it is restored.`}</Text>
          </div>
        )}
        {children.data && assets.data && isBlocked && (
          <>
            <Text>{t`It cannot be deleted while something is in it. Move or remove first:`}</Text>
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
        <FormProblem problem={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {isBlocked ? t`Close` : t`Cancel`}
          </Button>
          {!isBlocked && (
            <Button
              color="red"
              loading={isBusy}
              disabled={!children.data || !assets.data}
              onClick={() => void act()}
              data-autofocus
            >
              <Trans>Delete location</Trans>
            </Button>
          )}
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
            {kind === 'location' ? (
              <AnchorLink to="/locations/$locationId" params={{ locationId: String(id) }}>
                <UserText>{name}</UserText>
              </AnchorLink>
            ) : (
              <AnchorLink to="/assets/$assetId" params={{ assetId: String(id) }}>
                <UserText>{name}</UserText>
              </AnchorLink>
            )}
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
