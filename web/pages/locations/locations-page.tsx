import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Paper, Stack } from '@mantine/core';
import { IconMapPin, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';
import { LocationSearch } from './location-search.js';
import { LocationTree, type Revealed } from './location-tree.js';
import { MoveDialog } from './move-dialog.js';
import { NewLocationDialog } from './new-location-dialog.js';
import type { NodeAction, TreeNode } from './tree-context.js';
import { RenameDialog } from './rename-dialog.js';
import { useDeletion } from './use-deletion.js';
import { useFirstExpansion } from './use-first-expansion.js';
import { useLiveRefresh } from './use-live-refresh.js';
import { useOpenIds } from './use-open-ids.js';

const route = getRouteApi('/app/locations');

type Doing = { action: 'new' } | { action: Exclude<NodeAction, 'delete'>; node: TreeNode } | null;

/** The tree of the organization's locations, with how many assets are in each. */
export function LocationsPage() {
  const { can } = useSession();
  const canChange = can('manager');
  const trpc = useTRPC();
  const { q = '', show } = route.useSearch();
  const navigate = route.useNavigate();
  const [doing, setDoing] = useState<Doing>(null);
  const { openIds, setOpen, isFresh } = useOpenIds();
  const reveal = useReveal(setOpen);
  const top = useQuery(
    trpc.locations.level.queryOptions(
      { parent_id: null, limit: 100, offset: 0 },
      { placeholderData: (before) => before },
    ),
  );
  useLiveRefresh(trpc.locations.level.pathFilter());
  useFirstExpansion(top.data?.data, { isFresh: isFresh && show === undefined, setOpen });

  const { goTo } = reveal;
  useEffect(() => {
    if (show !== undefined) void goTo(show);
  }, [show, goTo]);

  /**
   * Stores the shown location in the address, so that the back button shows it again. Choosing the same location
   * scrolls to it again.
   */
  function showInTree(id: number): void {
    if (id === show) void goTo(id);
    void navigate({ search: { show: id }, replace: true, resetScroll: false });
  }

  const setQ = (next: string) =>
    void navigate({ search: next === '' ? {} : { q: next }, replace: true, resetScroll: false });
  const newLocation = (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => setDoing({ action: 'new' })}
    >
      <Trans>New location</Trans>
    </Button>
  );
  const { remove, dialog } = useDeletion();
  const onAct = useCallback(
    (action: NodeAction, node: TreeNode) => {
      if (action === 'delete') void remove(node);
      else setDoing({ action, node });
    },
    [remove],
  );
  const close = () => setDoing(null);

  return (
    <Page
      title={t`Locations`}
      description={t`Sites, rooms and shelves. A location can have sublocations. Assets count where they were last seen.`}
      actions={canChange && newLocation}
    >
      {top.data?.total_count === 0 ? (
        <EmptyState icon={IconMapPin} title={t`No locations yet`} action={canChange && newLocation}>
          {canChange
            ? t`Start with a site or a building, then add halls, rooms or racks to it.`
            : t`A manager can create the first one.`}
        </EmptyState>
      ) : (
        <Stack gap="sm" maw={900}>
          <LocationSearch q={q} onChange={setQ} onChoose={({ id }) => showInTree(id)} />
          <Paper withBorder p="xs">
            <LocationTree
              canChange={canChange}
              onAct={onAct}
              openIds={openIds}
              setOpen={setOpen}
              revealed={reveal.revealed}
            />
          </Paper>
        </Stack>
      )}
      {doing?.action === 'rename' && <RenameDialog location={doing.node} onClose={close} />}
      {doing?.action === 'move' && (
        <MoveDialog location={doing.node} onClose={close} onMoved={() => showInTree(doing.node.id)} />
      )}
      {dialog}
      {(doing?.action === 'new' || doing?.action === 'add') && (
        <NewLocationDialog
          parent={doing.action === 'add' ? doing.node : null}
          onClose={close}
          onCreated={({ id }) => {
            close();
            showInTree(id);
          }}
        />
      )}
    </Page>
  );
}

/** Opens all levels above a location, and makes the tree scroll to it. */
function useReveal(setOpen: (id: number, isOpen: boolean) => void) {
  const api = useTRPCClient();
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const latest = useRef(0);
  const goTo = useCallback(
    async (id: number) => {
      latest.current = id;
      try {
        const path = await api.locations.path.query({ location_id: id });
        if (latest.current !== id) return;
        for (const above of path.slice(0, -1)) setOpen(above.id, true);
        setRevealed({ id });
      } catch {
        // The location was deleted, or the service is unavailable; the tree shows this.
        setRevealed(null);
      }
    },
    [api, setOpen],
  );
  return { revealed, goTo };
}
