import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { problemOf } from '../api/errors.js';
import { useTRPC, useTRPCClient } from '../api/trpc.js';
import { quantity } from '../ui/quantity.js';
import { showUndoNotice, UndoRefusedError } from '../ui/undo-notice.js';
import { failureTexts, type PutInResult, type TakenOutResult } from './failures.js';
import type { NamedAsset } from './words.js';

/** The most assets that the service puts in or takes out in one call. */
const togetherMax = 1000;

type Containing = {
  /** Puts assets into a container, and offers an undo. @throws if the service rejects the call */
  putIn: (container: NamedAsset, assetIds: readonly number[]) => Promise<void>;
  /** Takes assets out of the container that the person sees, and offers an undo. A failure is shown in a notice. */
  takeOut: (containerId: number | undefined, assetIds: readonly number[]) => Promise<void>;
};

/** Returns the actions on containers, each with a notice of what was done and what was not. */
export function useContaining(): Containing {
  const api = useTRPCClient();
  const trpc = useTRPC();
  const answers = useQueryClient();

  async function refresh(): Promise<void> {
    const changed = [trpc.assets, trpc.containers, trpc.scans, trpc.locations, trpc.activity];
    await Promise.all(changed.map((router) => answers.invalidateQueries(router.pathFilter())));
  }

  async function putIn(container: NamedAsset, assetIds: readonly number[]): Promise<void> {
    const results: PutInResult[] = [];
    try {
      for (const asset_ids of portions(assetIds)) {
        results.push(...(await api.containers.putIn.mutate({ container_id: container.id, asset_ids })).results);
      }
    } finally {
      await refresh();
    }
    showFailures(results);
    const done = results.filter((result) => result.status === 'done');
    if (done.length === 0) return;
    showUndoNotice(t`${quantity(done.length, 'asset')} put into ${container.name}`, async () => {
      const items = done.map(({ asset_id, was_in: before }) => ({ asset_id, was_in_id: before?.id ?? null }));
      const undone: (PutInResult | TakenOutResult)[] = [];
      for (const part of portions(items)) {
        const answer = await api.containers.undoPutIn.mutate({ container_id: container.id, items: part });
        undone.push(...answer.results);
      }
      await refresh();
      return undoneText(undone);
    });
  }

  async function takeOut(containerId: number | undefined, assetIds: readonly number[]): Promise<void> {
    const from = containerId === undefined ? {} : { container_id: containerId };
    const results: TakenOutResult[] = [];
    try {
      for (const asset_ids of portions(assetIds)) {
        results.push(...(await api.containers.takeOut.mutate({ asset_ids, ...from })).results);
      }
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', title, message: detail });
    }
    await refresh();
    showFailures(results);
    const done = results.filter((result) => result.status === 'done');
    const [first] = done;
    if (!first) return;
    const containers = new Map(done.map(({ was_in: before }) => [before.id, before.name]));
    const count = quantity(done.length, 'asset');
    const text = containers.size === 1 ? t`${count} taken out of ${first.was_in.name}` : t`${count} taken out`;
    showUndoNotice(text, async () => {
      const undone: PutInResult[] = [];
      for (const container_id of containers.keys()) {
        const ids = done.filter(({ was_in: before }) => before.id === container_id).map(({ asset_id }) => asset_id);
        for (const asset_ids of portions(ids)) {
          undone.push(...(await api.containers.putIn.mutate({ container_id, asset_ids })).results);
        }
      }
      await refresh();
      return undoneText(undone);
    });
  }

  return { putIn, takeOut };
}

function portions<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / togetherMax);
  return Array.from({ length: count }, (_, index) => items.slice(index * togetherMax, (index + 1) * togetherMax));
}

/** Shows why assets were not put in or taken out: each reason once, with the number of its assets. */
function showFailures(results: readonly (PutInResult | TakenOutResult)[]): void {
  const reasons = results.flatMap((result) => (result.status === 'failed' ? [result.reason] : []));
  for (const reason of new Set(reasons)) {
    const count = reasons.filter((other) => other === reason).length;
    notifications.show({
      color: 'red',
      title: t`Not changed: ${quantity(count, 'asset')}`,
      message: failureTexts[reason],
    });
  }
}

function undoneText(results: readonly (PutInResult | TakenOutResult)[]): string {
  const done = results.filter(({ status }) => status === 'done').length;
  if (done === 0) throw new UndoRefusedError(t`Not undone: the assets were moved or deleted since.`);
  return done === results.length
    ? t`Undone`
    : t`Undone for ${quantity(done, 'asset')}; the others were moved or deleted since.`;
}
