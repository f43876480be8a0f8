import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { IconBell, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { AlertStatus } from '../../alerts/alert-status.js';
import classes from '../../alerts/alerts.module.css';
import { ObjectAlerts } from '../../alerts/object-alerts.js';
import { useAcknowledge } from '../../alerts/use-alerts.js';
import { alertText } from '../../alerts/words.js';
import { problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { EmptyState } from '../../ui/empty-state.js';
import { AnchorLink, ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { Unanswered } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { Section } from '../assets/section.js';
import { AlertFacts } from './alert-facts.js';
import { deliveryColors, deliveryNames } from './delivery-words.js';

type Alert = Outputs['alerts']['get'];

const back = <BackLink to="/alerts">{t`Alerts`}</BackLink>;

/** One alert: what happened, who acknowledged it, and its history. */
export function AlertPage() {
  const { alertId } = useParams({ from: '/app/alerts/$alertId' });
  const trpc = useTRPC();
  const id = /^[1-9][0-9]{0,14}$/.test(alertId) ? Number(alertId) : 0;
  const alert = useQuery(trpc.alerts.get.queryOptions({ id }, { enabled: id > 0 }));
  if (id === 0 || (alert.error && problemOf(alert.error).type === 'not_found')) return <NoAlert />;
  if (alert.data) return <Shown alert={alert.data} />;
  return (
    <Page title={t`Alert`} back={back}>
      <Unanswered query={alert} height={200} />
    </Page>
  );
}

function Shown({ alert }: { alert: Alert }) {
  const { can } = useSession();
  const acknowledge = useAcknowledge();
  const { id, asset_id: assetId, rule } = alert;
  return (
    <Page
      title={alertText(alert)}
      back={back}
      actions={
        alert.is_open &&
        can('operator') && (
          <Button
            leftSection={<IconCheck size={18} aria-hidden />}
            loading={acknowledge.isPending}
            onClick={() => acknowledge.mutate([id])}
          >
            <Trans>Acknowledge</Trans>
          </Button>
        )
      }
    >
      {acknowledge.error && <FormProblem problem={problemOf(acknowledge.error)} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Section title={t`What happened`}>
              <AlertFacts alert={alert} />
            </Section>
            {rule.id !== null && (
              <Section title={t`Other alerts of this rule`}>
                <ObjectAlerts
                  about={{ rule_id: rule.id, ...(assetId !== null && { asset_id: assetId }) }}
                  except={id}
                  none={assetId === null ? t`None in the last 90 days.` : t`None about this asset in the last 90 days.`}
                />
              </Section>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <Section title={t`History`}>
              <History alert={alert} />
            </Section>
            {alert.deliveries && alert.deliveries.length > 0 && (
              <Section title={t`Webhooks`}>
                <Deliveries deliveries={alert.deliveries} />
              </Section>
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function RuleName({ rule: { id, name } }: { rule: Alert['rule'] }) {
  const { can } = useSession();
  if (!can('manager') || id === null) return <UserText>{name}</UserText>;
  return (
    <AnchorLink to="/alerts/rules/$ruleId" params={{ ruleId: String(id) }} inherit>
      <UserText>{name}</UserText>
    </AnchorLink>
  );
}

function History({ alert }: { alert: Alert }) {
  return (
    <ol className={classes['alerts']}>
      <li>
        <Text size="sm" component="div">
          <Trans>
            Opened <When at={alert.opened_at} /> by the rule <RuleName rule={alert.rule} />
          </Trans>
        </Text>
      </li>
      <li>
        <AlertStatus alert={alert} />
        {alert.is_open && (
          <Text size="sm" c="dimmed">
            {alert.is_condition
              ? t`It stays open until somebody acknowledges it or its condition ends.`
              : t`It stays open until somebody acknowledges it.`}
          </Text>
        )}
      </li>
    </ol>
  );
}

function Deliveries({ deliveries }: { deliveries: NonNullable<Alert['deliveries']> }) {
  return (
    <Stack gap="xs">
      {deliveries.map(({ id, endpoint_id: endpointId, endpoint_name: name, status }) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <AnchorLink to="/alerts/webhooks/$endpointId" params={{ endpointId: String(endpointId) }} size="sm">
            <UserText>{name}</UserText>
          </AnchorLink>
          <Badge color={deliveryColors[status]}>{deliveryNames[status]}</Badge>
        </Group>
      ))}
    </Stack>
  );
}

/** The same for an alert that was removed after 90 days, never existed, or belongs to another organization. */
function NoAlert() {
  return (
    <Page title={t`Alert not found`} back={back}>
      <EmptyState
        icon={IconBell}
        title={t`There is no such alert`}
        action={<ButtonLink to="/alerts">{t`See all alerts`}</ButtonLink>}
      >
        <Trans>Alerts are kept for 90 days.</Trans>
      </EmptyState>
    </Page>
  );
}
