import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ObjectActivity } from '../../activity/object-activity.js';
import { problemOf } from '../../api/errors.js';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { RequireRole } from '../../session/require-role.js';
import { ActionButton } from '../../ui/action-button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { AnchorLink, ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { Unanswered } from '../../ui/problem-state.js';
import { showUndoNotice } from '../../ui/undo-notice.js';
import { Section } from '../assets/section.js';
import { RuleForm } from './rule-form.js';
import { valuesOfRule } from './rule-values.js';

const back = <BackLink to="/alerts/rules">{t`Alert rules`}</BackLink>;

/** One alert rule, to change or delete. */
export function RulePage() {
  const { ruleId } = useParams({ from: '/app/alerts/rules/$ruleId' });
  return (
    <RequireRole needs="manager">
      <KnownRule key={ruleId} id={/^[1-9][0-9]{0,8}$/.test(ruleId) ? Number(ruleId) : 0} />
    </RequireRole>
  );
}

function KnownRule({ id }: { id: number }) {
  const trpc = useTRPC();
  // Changes that somebody else makes while the form is open must not replace the input.
  const found = useQuery(
    trpc.alertRules.get.queryOptions({ id }, { enabled: id > 0, staleTime: 0, refetchOnWindowFocus: false }),
  );
  const [opened, setOpened] = useState<typeof found.data>();
  if (!opened && found.data && !found.isFetching) setOpened(found.data);

  async function reload(): Promise<void> {
    const { data } = await found.refetch();
    if (data) setOpened(data);
  }

  if (id === 0 || (found.error && problemOf(found.error).type === 'not_found' && !opened)) return <NoRule />;
  if (!opened) {
    return (
      <Page title={t`Alert rule`} back={back}>
        <Unanswered query={found} height={320} />
      </Page>
    );
  }
  const { rule, names } = opened;
  return (
    <Page title={rule.name} isName back={back} actions={<DeleteRule rule={rule} />}>
      {!rule.is_enabled && <Text c="dimmed">{t`This rule is off. Switch it on in the list of rules.`}</Text>}
      <Group>
        <AnchorLink to="/alerts" search={{ status: 'all', rule_id: id }} size="sm">{t`Alerts of this rule`}</AnchorLink>
      </Group>
      <RuleForm key={rule.updated_at} rule={rule} initial={valuesOfRule(rule, names)} onReload={() => void reload()} />
      <Section title={t`Changes`}>
        <ObjectActivity kind="alert_rule" objectId={id} version={rule.updated_at} />
      </Section>
    </Page>
  );
}

function DeleteRule({ rule: { id, name } }: { rule: Outputs['alertRules']['get']['rule'] }) {
  const { trpc, api, answers, refresh } = useServer();
  const navigate = useNavigate();

  async function remove(): Promise<void> {
    await api.alertRules.delete.mutate({ id });
    await navigate({ to: '/alerts/rules', ignoreBlocker: true });
    answers.removeQueries(trpc.alertRules.get.queryFilter({ id }));
    await refresh(trpc.alertRules.list);
    showUndoNotice(t`${name} deleted`, async () => {
      await api.alertRules.restore.mutate({ id });
      await refresh(trpc.alertRules.list);
      return t`${name} restored`;
    });
  }

  return <ActionButton onAct={remove}>{t`Delete`}</ActionButton>;
}

function NoRule() {
  return (
    <Page title={t`Rule not found`} back={back}>
      <EmptyState
        icon={IconBell}
        title={t`There is no such rule`}
        action={<ButtonLink to="/alerts/rules">{t`See all rules`}</ButtonLink>}
      >
        <Trans>It may have been deleted.</Trans>
      </EmptyState>
    </Page>
  );
}
