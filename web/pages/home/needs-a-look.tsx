import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, NativeSelect, Paper, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconAntenna,
  IconAntennaOff,
  IconBell,
  IconCircleCheck,
  IconEyeOff,
  IconHomeMove,
  IconLockX,
  IconMessageX,
  IconQuestionMark,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useOpenCount } from '../../alerts/open-count.js';
import type { Outputs } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { AnchorLink } from '../../ui/links.js';
import { ReaderLink } from '../../ui/object-links.js';
import { type Counted, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import classes from './home.module.css';

type Summary = Outputs['home']['summary'];

export type NeedsALookProps = {
  summary: Summary | undefined;
  unseenDays: number;
  onUnseenDays: (days: number) => void;
};

/** Things that need attention, with links. */
export function NeedsALook({ summary, unseenDays, onUnseenDays }: NeedsALookProps) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="look-heading">
      <div className={classes['heading']}>
        <Title order={2} size="h4" id="look-heading">{t`Needs attention`}</Title>
        <Group gap={6} wrap="nowrap">
          <Text size="xs" c="dimmed" aria-hidden visibleFrom="xs">{t`Unseen after`}</Text>
          <NativeSelect
            size="xs"
            aria-label={t`Assets count as unseen after`}
            className={classes['days']}
            value={String(unseenDays)}
            onChange={(event) => onUnseenDays(Number(event.currentTarget.value))}
            data={[1, 3, 7, 14, 30, 90].map((days) => ({ value: String(days), label: quantity(days, 'day') }))}
          />
        </Group>
      </div>
      {summary ? <Notices summary={summary} /> : <Skeletons />}
    </Paper>
  );
}

function Notices({ summary }: { summary: Summary }) {
  const { can } = useSession();
  const {
    assets,
    readers,
    unknown_tags: unknown,
    rejected_messages: rejected,
    problem_assets: broken,
    away_assets: away,
  } = summary;
  const alerts = useOpenCount();
  const openAlerts = alerts?.count ?? 0;
  const hasNoFindings =
    openAlerts +
      readers.silent +
      readers.never +
      readers.refused +
      unknown.count +
      rejected.count +
      broken.count +
      away.count +
      assets.unseen_for_days ===
    0;
  if (hasNoFindings) {
    return (
      <Notice icon={IconCircleCheck} color="green">
        <Text>{t`All clear`}</Text>
      </Notice>
    );
  }
  return (
    <ul className={classes['notices']}>
      {openAlerts > 0 && (
        <Notice icon={IconBell} color="red" as="li">
          <AnchorLink to="/alerts">{openText(openAlerts, alerts?.text ?? '')}</AnchorLink>
        </Notice>
      )}
      {broken.count > 0 && (
        <Notice icon={IconAlertTriangle} color="red" as="li">
          <AnchorLink to="/assets" search={{ has_problem: true }}>
            <Trans>{counted(broken, 'asset')} with open problems</Trans>
          </AnchorLink>
        </Notice>
      )}
      {away.count > 0 && (
        <Notice icon={IconHomeMove} color="orange" as="li">
          <AnchorLink to="/assets" search={{ away: true }}>
            <Trans>{counted(away, 'asset')} away from where they belong</Trans>
          </AnchorLink>
        </Notice>
      )}
      {readers.silent > 0 && (
        <Notice icon={IconAntenna} color="orange" as="li">
          <AnchorLink to="/readers" search={{ status: 'silent' }}>
            {quantity(readers.silent, 'silent reader')}
          </AnchorLink>
          {readers.most_silent.map(({ id, name, last_message_at: at }) => (
            <Text key={id} size="sm" c="dimmed" component="div" className={classes['reader']}>
              <LinkIfAllowed isOpen={can('admin')} link={<ReaderLink id={id} name={name} inherit lines={1} />}>
                <UserText lines={1}>{name}</UserText>
              </LinkIfAllowed>
              <span>{at === null ? t`no message yet` : <When at={at} />}</span>
            </Text>
          ))}
        </Notice>
      )}
      {readers.refused > 0 && (
        <Notice icon={IconLockX} color="orange" as="li">
          <AnchorLink to="/readers" search={{ status: 'refused' }}>
            <Trans>{quantity(readers.refused, 'reader')} with refused logins</Trans>
          </AnchorLink>
        </Notice>
      )}
      {readers.never > 0 && (
        <Notice icon={IconAntennaOff} color="gray" as="li">
          <AnchorLink to="/readers" search={{ status: 'never' }}>
            <Trans>{quantity(readers.never, 'reader')} never connected</Trans>
          </AnchorLink>
        </Notice>
      )}
      {unknown.count > 0 && (
        <Notice icon={IconQuestionMark} color="yellow" as="li">
          <LinkIfAllowed
            isOpen={can('manager')}
            link={<AnchorLink to="/unknown-tags">{counted(unknown, 'unknown tag')}</AnchorLink>}
          >
            {counted(unknown, 'unknown tag')}
          </LinkIfAllowed>
          {unknown.newest && (
            <Text size="sm" c="dimmed" component="div" className={classes['reader']}>
              <UserText lines={1}>{unknown.newest.value}</UserText>
              <When at={unknown.newest.last_seen} />
            </Text>
          )}
        </Notice>
      )}
      {assets.unseen_for_days > 0 && (
        <Notice icon={IconEyeOff} color="blue" as="li">
          <AnchorLink to="/assets" search={{ in_effect: true, unseen_days: assets.unseen_days }}>
            {unseenText(quantity(assets.unseen_for_days, 'asset'), assets.unseen_days)}
          </AnchorLink>
        </Notice>
      )}
      {rejected.count > 0 && (
        <Notice icon={IconMessageX} color="red" as="li">
          <LinkIfAllowed
            isOpen={can('admin')}
            link={<AnchorLink to="/readers">{counted(rejected, 'unrecognized message')}</AnchorLink>}
          >
            {counted(rejected, 'unrecognized message')}
          </LinkIfAllowed>
          <Text size="sm" c="dimmed">{t`In the last 24 hours`}</Text>
        </Notice>
      )}
    </ul>
  );
}

function unseenText(assets: string, days: number): string {
  return plural(days, { one: `${assets} not seen for # day`, other: `${assets} not seen for # days` });
}

function openText(count: number, number: string): string {
  return plural(count, { one: `${number} open alert`, other: `${number} open alerts` });
}

function counted({ count, is_more: isMore }: { count: number; is_more: boolean }, unit: Counted): string {
  return isMore ? t`More than ${quantity(count, unit)}` : quantity(count, unit);
}

/** A link for roles that can open the page; plain text for others. */
function LinkIfAllowed({ isOpen, link, children }: { isOpen: boolean; link: ReactNode; children: ReactNode }) {
  return isOpen ? (
    link
  ) : (
    <Text component="span" inherit>
      {children}
    </Text>
  );
}

type NoticeProps = { icon: Icon; color: string; as?: 'li' | 'div'; children: ReactNode };

function Notice({ icon: Icon, color, as: Element = 'div', children }: NoticeProps) {
  return (
    <Element className={classes['notice']}>
      <ThemeIcon variant="light" color={color} size={28}>
        <Icon size={17} stroke={1.7} aria-hidden />
      </ThemeIcon>
      <div>{children}</div>
    </Element>
  );
}

function Skeletons() {
  return (
    <Stack gap="md" py="xs" aria-label={t`Loading`}>
      {Array.from({ length: 3 }, (_, index) => (
        <Skeleton key={index} height={40} />
      ))}
    </Stack>
  );
}
