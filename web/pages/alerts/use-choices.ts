import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import type { Choice } from '../../ui/search-select.js';

/**
 * Returns the asset with an id as a choice of a form; the label is the id until the name is known. Null without an id.
 */
export function useAssetChoice(id: number | undefined): Choice | null {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.assets.many.queryOptions({ ids: [id ?? 1] }, { enabled: id !== undefined }));
  if (id === undefined) return null;
  const asset = data?.data.find((candidate) => candidate.id === id);
  return asset ? { id, label: asset.name, detail: asset.external_key } : { id, label: t`Asset ${id}` };
}

/** Does the same as `useAssetChoice`, for a location. */
export function useLocationChoice(id: number | undefined): Choice | null {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.locations.path.queryOptions({ location_id: id ?? 1 }, { enabled: id !== undefined }));
  if (id === undefined) return null;
  return { id, label: data?.at(-1)?.name ?? t`Location ${id}` };
}
