import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTRPC } from '../../../api/trpc.js';
import { useSession } from '../../../session/context.js';
import { ButtonLink } from '../../../ui/links.js';
import { isMissing, MissingPage } from '../../../ui/missing-page.js';
import { BackLink, Page } from '../../../ui/page.js';
import { ProblemState } from '../../../ui/problem-state.js';
import { AuditBoard } from './audit-board.js';

const route = getRouteApi('/app/locations/$locationId/audit');

const title = t`Audit`;

/** Audits a location with a scanner: which of the expected assets are found there, and which other assets. */
export function AuditPage() {
  const { can } = useSession();
  const id = Number(route.useParams().locationId);
  const trpc = useTRPC();
  const found = useQuery(trpc.locations.get.queryOptions({ location_id: id }));
  const name = found.data?.data.name;
  const back = (
    <BackLink to="/locations/$locationId" params={{ locationId: String(id) }}>
      {name ?? t`Location`}
    </BackLink>
  );

  if (found.error && isMissing(found.error)) {
    return <MissingPage kind="location" list={<ButtonLink to="/locations">{t`All locations`}</ButtonLink>} />;
  }
  if (!can('operator')) {
    return (
      <Page title={title} back={back}>
        <Alert title={t`You have view-only access`}>
          <Trans>Ask an administrator for the Operator role to run audits.</Trans>
        </Alert>
      </Page>
    );
  }
  return (
    <Page title={name === undefined ? title : `${title}: ${name}`} isName back={back}>
      {found.error && <ProblemState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={200} />}
      {found.data && <AuditBoard key={id} id={id} name={found.data.data.name} />}
    </Page>
  );
}
