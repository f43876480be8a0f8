import { AnchorLink } from '../../ui/links.js';
import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Collapse, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type Batch, readKey, type SubmitResult } from '../../scanning/batch.js';
import { NotMovedBadge, notMovedText } from '../../scanning/not-moved.js';
import { useSession } from '../../session/context.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import classes from './scan-page.module.css';
import { showRead } from './scanned-list.js';
import type { Names } from './use-names.js';

export type SentListProps = { sent: readonly Batch[]; names: Names };

/** The results of the latest sent scans. */
export function SentList({ sent, names }: SentListProps) {
  if (sent.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-labelledby="sent">
      <Title order={2} size="h4" id="sent">{t`Sent`}</Title>
      {sent.map((batch, index) => (
        <SentBatch key={batch.id} batch={batch} names={names} isLatest={index === 0} />
      ))}
    </Stack>
  );
}

function SentBatch({ batch, names, isLatest }: { batch: Batch; names: Names; isLatest: boolean }) {
  const [isToggled, setToggled] = useState(false);
  if (batch.state !== 'sent') return null;
  const isOpen = isToggled !== isLatest;
  const placed = batch.results.filter(({ status }) => status === 'placed').length;
  const unknown = batch.results.filter(({ status }) => status === 'unknown').length;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <div className={classes['itemText']}>
          <Text fw={600} component="div">
            <UserText>{batch.place.name}</UserText>
          </Text>
          <Group gap="xs">
            <Badge color="green">
              <Trans>{numberText(placed)} recorded</Trans>
            </Badge>
            {unknown > 0 && (
              <Badge color="red">
                <Trans>{numberText(unknown)} unknown</Trans>
              </Badge>
            )}
            <Text size="sm" c="dimmed" component="span">
              <When at={batch.sentAt} />
            </Text>
          </Group>
        </div>
        <Button variant="subtle" size="sm" aria-expanded={isOpen} onClick={() => setToggled(!isToggled)}>
          {isOpen ? t`Hide` : t`Show`}
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <ul className={classes['list']} aria-label={t`Sent to ${batch.place.name}`}>
          {batch.reads.map((read, index) => {
            const result = batch.results[index];
            const { name, value } = showRead(read, names);
            return (
              <li key={readKey(read)} className={classes['item']}>
                <div className={classes['itemText']}>
                  {result?.status === 'placed' ? (
                    <AnchorLink to="/assets/$assetId" params={{ assetId: String(result.asset_id) }}>
                      <UserText lines={1}>{name}</UserText>
                    </AnchorLink>
                  ) : (
                    <UserText lines={1}>
                      {result?.status === 'location' ? result.location.name : (value ?? name)}
                    </UserText>
                  )}
                  <Where result={result} />
                </div>
                {result && <Result result={result} value={value} />}
              </li>
            );
          })}
        </ul>
      </Collapse>
    </Paper>
  );
}

/** Where an asset was recorded, if not at the location of the batch, or that it was not moved. */
function Where({ result }: { result: SubmitResult | undefined }) {
  if (result?.status !== 'placed') return null;
  const { at, stays_at: staysAt } = result;
  if (staysAt === undefined && !at) return null;
  return (
    <Text size="sm" c="dimmed" component="div">
      <UserText>{staysAt === undefined ? t`Recorded at ${at?.name ?? ''}` : notMovedText(staysAt)}</UserText>
    </Text>
  );
}

function Result({ result, value }: { result: SubmitResult; value: string | undefined }) {
  if (result.status === 'location') return <Badge color="blue">{t`Location`}</Badge>;
  if (result.status === 'unknown') return <Unknown value={value} />;
  return result.stays_at === undefined ? <Badge color="green">{t`Recorded`}</Badge> : <NotMovedBadge />;
}

function Unknown({ value }: { value: string | undefined }) {
  const { can } = useSession();
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge color="red">{t`Unknown`}</Badge>
      {value !== undefined && can('manager') && (
        <AnchorLink to="/assets/new" search={{ tag: value }}>{t`Create asset`}</AnchorLink>
      )}
    </Group>
  );
}
