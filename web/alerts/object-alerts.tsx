import { t } from '@lingui/core/macro';
import { Group, Stack, Text } from '@mantine/core';
import { AnchorLink } from '../ui/links.js';
import { Unanswered } from '../ui/problem-state.js';
import { UserText } from '../ui/user-text.js';
import { When } from '../ui/when.js';
import { AlertStatus } from './alert-status.js';
import classes from './alerts.module.css';
import { useAlerts } from './use-alerts.js';
import { type AlertItem, alertText } from './words.js';

const shownMax = 5;

type ObjectAlertsProps = {
  /** What the alerts concern. A location includes its sublocations. */
  about: { asset_id?: number; location_id?: number; rule_id?: number };
  /** An alert that is shown elsewhere on the page. */
  except?: number;
  /** The text if there are no alerts. */
  none: string;
};

/** Lists the latest alerts about one object, with a link to all of them. */
export function ObjectAlerts({ about, except, none }: ObjectAlertsProps) {
  const found = useAlerts(about, shownMax + 1);
  if (!found.data) return <Unanswered query={found} height={60} />;
  const alerts = found.data.pages.flatMap(({ data }) => data).filter(({ id }) => id !== except);
  if (alerts.length === 0) return <Text c="dimmed">{none}</Text>;
  return (
    <Stack gap="sm">
      <ol className={classes['alerts']} aria-label={t`Alerts, newest first`}>
        {alerts.slice(0, shownMax).map((alert) => (
          <li key={alert.id}>
            <AlertLine alert={alert} />
          </li>
        ))}
      </ol>
      <AnchorLink to="/alerts" search={{ status: 'all', ...about }} size="sm">{t`Show all in Alerts`}</AnchorLink>
    </Stack>
  );
}

function AlertLine({ alert }: { alert: AlertItem }) {
  return (
    <>
      <AnchorLink to="/alerts/$alertId" params={{ alertId: String(alert.id) }} size="sm">
        <UserText>{alertText(alert)}</UserText>
      </AnchorLink>
      <Group gap="xs">
        <Text size="xs" c="dimmed" component="div">
          <When at={alert.opened_at} />
        </Text>
        <AlertStatus alert={alert} />
      </Group>
    </>
  );
}
