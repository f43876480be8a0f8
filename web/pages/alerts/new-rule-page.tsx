import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { isTrigger } from '../../alerts/triggers.js';
import { useTRPC } from '../../api/trpc.js';
import { RequireRole } from '../../session/require-role.js';
import { BackLink, Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { RuleForm } from './rule-form.js';
import { newRuleValues, type RuleValues } from './rule-values.js';
import type { NewRuleSearch } from './search.js';

/** A new alert rule, with the choices from the previous page filled in. */
export function NewRulePage() {
  const search = useSearch({ from: '/app/alerts/rules/new' });
  return (
    <Page title={t`New alert rule`} back={<BackLink to="/alerts/rules">{t`Alert rules`}</BackLink>}>
      <RequireRole needs="manager">
        <NewRule key={JSON.stringify(search)} search={search} />
      </RequireRole>
    </Page>
  );
}

function NewRule({ search: { when, asset_id: assetId, location_id: locationId } }: { search: NewRuleSearch }) {
  const trpc = useTRPC();
  const asset = useQuery(trpc.assets.many.queryOptions({ ids: [assetId ?? 1] }, { enabled: assetId !== undefined }));
  const path = useQuery(
    trpc.locations.path.queryOptions({ location_id: locationId ?? 1 }, { enabled: locationId !== undefined }),
  );
  const error = asset.error ?? path.error;
  if (error) return <ProblemState error={error} onRetry={() => void Promise.all([asset.refetch(), path.refetch()])} />;
  if ((assetId !== undefined && !asset.data) || (locationId !== undefined && !path.data)) {
    return <Skeleton height={320} aria-busy="true" />;
  }
  const [thing] = assetId === undefined ? [] : (asset.data?.data ?? []);
  const location = locationId === undefined ? undefined : path.data?.at(-1);
  const initial: RuleValues = {
    ...newRuleValues(isTrigger(when) ? when : undefined),
    ...(thing && { assets: 'chosen', chosen_assets: [{ id: thing.id, label: thing.name }] }),
    ...(location && { locations: [{ id: location.id, label: location.name }] }),
  };
  return <RuleForm initial={initial} />;
}
