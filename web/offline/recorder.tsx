import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queriesOf } from '../api/query-references.js';
import { type Outputs, type Trpc, useTRPC } from '../api/trpc.js';
import { openScanStore } from '../scanning/store.js';
import { useSession } from '../session/context.js';
import { ownerOf } from '../session/owner.js';
import { rememberSeen, seenAssetsMax, type Sighted } from './seen-assets.js';

/** Several answers arrive together, and photos after them. */
const writeAfterMs = 1000;

type Known = Omit<Sighted, 'owner' | 'photo'>;

type Answer = Pick<Query, 'queryKey' | 'state'>;

type AnswerRow = Pick<Outputs['search']['everything']['assets'][number], 'id' | 'name' | 'external_key' | 'location'>;

/** Remembers the locations of assets in answers of the service, for when there is no network. Renders nothing. */
export function SeenAssetsRecorder() {
  const queries = useQueryClient();
  const trpc = useTRPC();
  const owner = ownerOf(useSession());
  useEffect(() => {
    const cache = queries.getQueryCache();
    const { rowsOf, isOfPhotos } = answersWithAssets(trpc);
    const known = new Map<number, Known>();
    const changed = new Set<number>();
    let timer: ReturnType<typeof setTimeout> | undefined;

    function plan(): void {
      if (changed.size > 0) timer ??= setTimeout(() => void write().catch(() => {}), writeAfterMs);
    }

    async function write(): Promise<void> {
      timer = undefined;
      const rows = [...changed].flatMap((id) => known.get(id) ?? []).slice(-seenAssetsMax);
      changed.clear();
      const store = await openScanStore();
      try {
        await rememberSeen(
          store,
          rows.map((row) => {
            const photo = queries.getQueryData<Blob>(['files.image', row.photo_id, 'thumbnail']);
            return { ...row, owner, ...(photo && { photo }) };
          }),
        );
      } finally {
        store.close();
      }
    }

    function take({ queryKey, state }: Answer): void {
      const at = state.dataUpdatedAt;
      for (const row of rowsOf(queryKey, state.data)) {
        const photoId = row.photo_id === undefined ? known.get(row.id)?.photo_id : row.photo_id;
        known.set(row.id, { ...row, photo_id: photoId, at });
        changed.add(row.id);
      }
    }

    function takePhotos(key: unknown, data: unknown): void {
      const { input } = (key ?? {}) as { input?: { asset_id?: number } };
      const asset = known.get(input?.asset_id ?? 0);
      const photo = (data as Outputs['assets']['photos'] | undefined)?.data[0];
      if (!asset || data === undefined) return;
      known.set(asset.id, { ...asset, photo_id: photo?.image_id ?? null });
      changed.add(asset.id);
    }

    function takePhoto(imageId: unknown): void {
      for (const { id, photo_id: photoId } of known.values()) if (photoId === imageId) changed.add(id);
    }

    const answers = cache.getAll();
    for (const answer of answers) take(answer);
    for (const { queryKey, state } of answers.filter(isOfPhotos)) takePhotos(queryKey[1], state.data);
    plan();
    const stop = cache.subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      const answer = event.query as Answer;
      const { queryKey, state } = answer;
      if (queryKey[0] === 'files.image') takePhoto(queryKey[1]);
      else if (isOfPhotos(answer)) takePhotos(queryKey[1], state.data);
      else take(answer);
      plan();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queries, trpc, owner]);
  return null;
}

/** Returns which answers name assets, and the assets that they name. */
function answersWithAssets(trpc: Trpc) {
  const isDetail = queriesOf(trpc.assets.detail);
  const isTable = queriesOf(trpc.assets.table);
  const isSearch = queriesOf(trpc.search.everything);

  function rowsOf(queryKey: QueryKey, data: unknown): Omit<Known, 'at'>[] {
    if (data === undefined) return [];
    if (isDetail({ queryKey })) {
      const { position, ...asset } = data as Outputs['assets']['detail'];
      return [seen({ ...asset, location: position?.location ?? null })];
    }
    if (isTable({ queryKey })) return (data as Outputs['assets']['table']).data.map(seen);
    if (isSearch({ queryKey })) return (data as Outputs['search']['everything']).assets.map(seen);
    return [];
  }

  return { rowsOf, isOfPhotos: queriesOf(trpc.assets.photos) };
}

function seen(row: AnswerRow & { photo_id?: number | null }): Omit<Known, 'at'> {
  const { id, name, external_key, location, photo_id } = row;
  return { id, name, external_key, place: location?.path.map((step) => step.name).join(' › ') ?? '', photo_id };
}
