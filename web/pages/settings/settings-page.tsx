import { t } from '@lingui/core/macro';
import { Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { useSession, useSessionControl } from '../../session/context.js';
import { RequireRole } from '../../session/require-role.js';
import { sessionStatus } from '../../session/status.js';
import { AnchorLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { ApiKeysSection, apiKeysPageSize } from './api-keys-section.js';
import { EmailDomainsSection } from './email-domains-section.js';
import { KindsSection } from './kinds-section.js';
import { MembersSection, membersPageSize } from './members-section.js';
import { invitationsPageSize } from './open-invitations.js';
import { OrganizationSection } from './organization-section.js';

/** The settings of the organization. Each section has an address of its own, such as `/settings#members`, and is saved by itself. */
export function SettingsPage() {
  return (
    <Page title={t`Settings`} description={t`What applies to everybody in this organization.`}>
      <RequireRole needs="manager">
        <SectionsWhenKnown />
      </RequireRole>
    </Page>
  );
}

/** Shows nothing before the heights of all sections are known, since a section would push the next ones down. */
function SectionsWhenKnown() {
  const { can } = useSession();
  const { isKnown, hasDomains } = useIsKnown(can('admin'));
  if (isKnown) return <Sections hasDomains={hasDomains} />;
  return (
    <Stack gap="lg" aria-busy="true" aria-label={t`Loading`}>
      <Skeleton height={44} />
      <Skeleton height={600} />
    </Stack>
  );
}

/**
 * Sends the first requests of all sections. Returns whether the answers have arrived, and whether there can be email
 * domains.
 */
function useIsKnown(isAdmin: boolean): { isKnown: boolean; hasDomains: boolean } {
  const trpc = useTRPC();
  const { openApi } = useSessionControl();
  const service = useQuery(sessionStatus(openApi));
  const hasDomains = isAdmin && Boolean(service.data?.sign_on);
  const forAdmins = { enabled: isAdmin };
  const questions = [
    service,
    useQuery(trpc.assetKinds.list.queryOptions()),
    useQuery(trpc.members.list.queryOptions({ limit: membersPageSize, offset: 0 }, forAdmins)),
    useQuery(trpc.members.invitations.queryOptions({ limit: invitationsPageSize, offset: 0 }, forAdmins)),
    useQuery(trpc.apiKeys.list.queryOptions({ limit: apiKeysPageSize, offset: 0 }, forAdmins)),
    useQuery(trpc.apiKeys.listFormerCreators.queryOptions(undefined, forAdmins)),
    useQuery(trpc.emailDomains.list.queryOptions(undefined, { enabled: hasDomains })),
  ];
  return { isKnown: questions.every(({ isLoading, failureCount }) => !isLoading || failureCount > 0), hasDomains };
}

function Sections({ hasDomains }: { hasDomains: boolean }) {
  const { organization, can } = useSession();
  useScrollToHash();
  const isAdmin = can('admin');
  const links = [
    ...(isAdmin ? [{ hash: 'organization', label: t`Organization` }] : []),
    ...(isAdmin ? [{ hash: 'members', label: t`Members` }] : []),
    ...(hasDomains ? [{ hash: 'email-domains', label: t`Email domains` }] : []),
    { hash: 'kinds', label: t`Kinds of assets` },
    ...(isAdmin ? [{ hash: 'api-keys', label: t`API keys` }] : []),
  ];
  return (
    <Stack gap="lg">
      {links.length > 1 && (
        <Group component="nav" gap="md" aria-label={t`Sections`}>
          {links.map(({ hash, label }) => (
            <AnchorLink key={hash} to="/settings" hash={hash} py={{ base: 10, sm: 4 }}>
              {label}
            </AnchorLink>
          ))}
        </Group>
      )}
      {isAdmin && (
        <>
          <OrganizationSection key={`${organization.id} ${organization.name}`} organization={organization} />
          <MembersSection />
          {hasDomains && <EmailDomainsSection />}
        </>
      )}
      <KindsSection />
      {isAdmin && <ApiKeysSection />}
    </Stack>
  );
}

/** The router looks for a section before it is there. */
function useScrollToHash(): void {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
}
