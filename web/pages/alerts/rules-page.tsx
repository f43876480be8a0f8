import { t } from '@lingui/core/macro';
import { Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { problemOf } from '../../api/errors.js';
import { useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { useSession } from '../../session/context.js';
import { RequireRole } from '../../session/require-role.js';
import type { Column } from '../../ui/data-table.js';
import { PagedTable } from '../../ui/paged-table.js';
import { AnchorLink, ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { AlertTabs } from './alert-tabs.js';
import { sentenceOfRule } from './rule-sentence.js';
import { RuleTemplates } from './rule-templates.js';
import type { Rule, RuleNames } from './rule.js';

/** The alert rules. */
export function RulesPage() {
  const { can } = useSession();
  return (
    <Page
      title={t`Alert rules`}
      description={t`What is worth an alert, and who is notified`}
      actions={
        can('manager') && (
          <ButtonLink
            to="/alerts/rules/new"
            leftSection={<IconPlus size={18} aria-hidden />}
            aria-keyshortcuts="n"
          >{t`New rule`}</ButtonLink>
        )
      }
    >
      <AlertTabs here="/alerts/rules" />
      <RequireRole needs="manager">
        <Rules />
      </RequireRole>
    </Page>
  );
}

function Rules() {
  const trpc = useTRPC();
  const rules = useQuery(trpc.alertRules.list.queryOptions());
  const columns = useMemo(() => columnsOf(rules.data?.names), [rules.data?.names]);
  if (rules.error && !rules.data) return <ProblemState error={rules.error} onRetry={() => void rules.refetch()} />;
  return (
    <PagedTable
      unit="row"
      caption={t`Alert rules`}
      columns={columns}
      rows={rules.data?.data}
      rowId={({ id }) => String(id)}
      expectedRows={3}
      empty={<RuleTemplates />}
    />
  );
}

function columnsOf(names: RuleNames = { assets: [], locations: [] }): Column<Rule>[] {
  return [
    { id: 'rule', header: t`Rule`, cell: (row) => <RuleName rule={row} names={names} /> },
    { id: 'notifies', header: t`Notifies`, hideBelow: 'sm', cell: (row) => notifiedText(row.notify) },
    { id: 'on', header: t`On`, width: '5rem', cell: (row) => <EnabledSwitch rule={row} /> },
  ];
}

function RuleName({ rule, names }: { rule: Rule; names: RuleNames }) {
  const sentence = sentenceOfRule(rule, names);
  return (
    <>
      <AnchorLink to="/alerts/rules/$ruleId" params={{ ruleId: String(rule.id) }} fw={550}>
        <UserText>{rule.name}</UserText>
      </AnchorLink>
      {sentence !== rule.name && (
        <Text size="xs" c="dimmed" component="div">
          <UserText>{sentence}</UserText>
        </Text>
      )}
    </>
  );
}

function notifiedText({ app, email_user_ids: emails, endpoint_ids: endpoints }: Rule['notify']): string {
  const parts = [
    app && t`App`,
    emails.length > 0 && quantity(emails.length, 'email'),
    endpoints.length > 0 && quantity(endpoints.length, 'webhook'),
  ];
  return parts.filter((part) => part !== false).join(', ') || t`Nobody`;
}

function EnabledSwitch({ rule }: { rule: Rule }) {
  const { trpc, api, refresh } = useServer();

  async function set(isEnabled: boolean): Promise<void> {
    try {
      await api.alertRules.setEnabled.mutate({ id: rule.id, is_enabled: isEnabled });
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', title, message: detail });
    }
    await refresh(trpc.alertRules);
  }

  return (
    <Switch
      aria-label={t`${rule.name} is on`}
      checked={rule.is_enabled}
      onChange={(event) => void set(event.currentTarget.checked)}
    />
  );
}
