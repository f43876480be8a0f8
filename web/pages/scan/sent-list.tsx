import { AnchorLink } from '../../ui/links.js';
import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Collapse, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import {
  type Batch,
  isScanBatch,
  readKey,
  type ReportBatch,
  type ScanBatch,
  type ScanPlace,
  type SubmitResult,
} from '../../scanning/batch.js';
import { undoPlacing } from '../../scanning/undo-placing.js';
import { problemOf } from '../../api/errors.js';
import { type Api, useTRPCClient } from '../../api/trpc.js';
import { NotMovedBadge, notMovedText } from '../../scanning/not-moved.js';
import { useSession } from '../../session/context.js';
import { UndoRefusedError } from '../../ui/undo-notice.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { containedText, undoContained } from './contained-result.js';
import classes from './scan-page.module.css';
import { showRead } from './scanned-list.js';
import { undoneText } from './placing-text.js';
import type { Names } from './use-names.js';

type Undoing = {
  /** Called when the result of a batch with an index was undone. */
  onUndone: (batchId: string, index: number) => Promise<void>;
};

export type SentListProps = Undoing & { sent: readonly Batch[]; names: Names };

/** The results of the latest sent scans, at least one. */
export function SentList({ sent, names, onUndone }: SentListProps) {
  const latest = sent.find(isScanBatch);
  return (
    <Stack gap="sm" component="section" aria-labelledby="sent">
      <Title order={2} size="h4" id="sent">{t`Sent`}</Title>
      {sent.map((batch) =>
        isScanBatch(batch) ? (
          <SentBatch key={batch.id} batch={batch} names={names} isLatest={batch === latest} onUndone={onUndone} />
        ) : (
          <SentReport key={batch.id} batch={batch} />
        ),
      )}
    </Stack>
  );
}

function SentReport({ batch }: { batch: ReportBatch }) {
  const [asset] = batch.reads;
  if (batch.state !== 'sent' || !asset || !('assetId' in asset)) return null;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <div className={classes['itemText']}>
          <AnchorLink to="/assets/$assetId" params={{ assetId: String(asset.assetId) }}>
            <UserText lines={1}>{asset.name}</UserText>
          </AnchorLink>
          <Text size="sm" c="dimmed" component="div">
            <UserText>{batch.report.text}</UserText> · <When at={batch.sentAt} />
          </Text>
        </div>
        <Badge color="green" style={{ flex: 'none' }}>{t`Problem reported`}</Badge>
      </Group>
    </Paper>
  );
}

type SentBatchProps = Undoing & { batch: ScanBatch; names: Names; isLatest: boolean };

function SentBatch({ batch, names, isLatest, onUndone }: SentBatchProps) {
  const [isToggled, setToggled] = useState(false);
  if (batch.state !== 'sent') return null;
  const isOpen = isToggled !== isLatest;
  const placed = batch.results.filter(({ status }) => status === 'placed' || status === 'done').length;
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
              <li key={readKey(read)} className={classes['sentItem']}>
                <div className={classes['sentText']}>
                  {result && 'asset_id' in result ? (
                    <AnchorLink to="/assets/$assetId" params={{ assetId: String(result.asset_id) }}>
                      <UserText lines={1}>{name}</UserText>
                    </AnchorLink>
                  ) : (
                    <UserText lines={1}>
                      {result?.status === 'location' ? result.location.name : (value ?? name)}
                    </UserText>
                  )}
                  <Where result={result} place={batch.place} isUndone={batch.undone?.includes(index) ?? false} />
                </div>
                <Group gap="sm" wrap="nowrap">
                  {result && <Result result={result} value={value} place={batch.place} />}
                  {result && !batch.undone?.includes(index) && (
                    <UndoButton
                      name={name}
                      result={result}
                      place={batch.place}
                      onUndone={() => onUndone(batch.id, index)}
                    />
                  )}
                </Group>
              </li>
            );
          })}
        </ul>
      </Collapse>
    </Paper>
  );
}

type WhereProps = { result: SubmitResult | undefined; place: ScanPlace; isUndone: boolean };

/**
 * Where an asset was before, where it was recorded if not at the location of the batch, that it was not moved, or what happened with
 * it and its container.
 */
function Where({ result, place, isUndone }: WhereProps) {
  const isContained = result?.status === 'done' || result?.status === 'failed';
  const text = isContained ? containedText({ result, place, isUndone }) : result && whereText(result, isUndone);
  if (text === undefined) return null;
  return (
    <Text size="sm" c="dimmed" component="div">
      <UserText>{text}</UserText>
    </Text>
  );
}

function whereText(result: SubmitResult, isUndone: boolean): string | undefined {
  if (result.status !== 'placed') return undefined;
  const { from, at, stays_at: staysAt } = result;
  if (staysAt !== undefined) return notMovedText(staysAt);
  if (from && isUndone) return undoneText(from);
  if (from) return at ? t`Moved from ${from.name} to ${at.name}` : t`Moved from ${from.name}`;
  return at && t`Recorded at ${at.name}`;
}

type UndoButtonProps = { name: string; result: SubmitResult; place: ScanPlace; onUndone: () => Promise<void> };

/** Moves an asset back to where it was; renders nothing if the scan has moved nothing. */
function UndoButton({ name, result, place, onUndone }: UndoButtonProps) {
  const api = useTRPCClient();
  const [isBusy, setBusy] = useState(false);
  const revert = revertOf(api, result, place);
  if (!revert) return null;

  const undo = async () => {
    setBusy(true);
    try {
      await revert();
      await onUndone();
    } catch (error) {
      const { title, detail } = problemOf(error);
      const words = error instanceof UndoRefusedError ? { message: error.message } : { title, message: detail };
      notifications.show({ color: 'red', ...words });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Button variant="default" size="sm" loading={isBusy} aria-label={t`Undo ${name}`} onClick={() => void undo()}>
      <Trans>Undo</Trans>
    </Button>
  );
}

/** Returns what undoes a scan; undefined if the scan has changed nothing. */
function revertOf(api: Api, result: SubmitResult, place: ScanPlace): (() => Promise<void>) | undefined {
  if (result.status === 'done') return () => undoContained(api, result, place);
  if (result.status !== 'placed' || result.stays_at !== undefined || !result.from) return undefined;
  const { asset_id: assetId, from, at = place } = result;
  return () => undoPlacing(api, { assetId, from, at });
}

type ResultProps = { result: SubmitResult; value: string | undefined; place: ScanPlace };

function Result({ result, value, place }: ResultProps) {
  if (result.status === 'location') return <Badge color="blue">{t`Location`}</Badge>;
  if (result.status === 'unknown') return <Unknown value={value} />;
  if (result.status === 'failed') return <Badge color="red">{t`Not changed`}</Badge>;
  if (result.status === 'done') return <Badge color="green">{place.is === 'out' ? t`Taken out` : t`Put in`}</Badge>;
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
