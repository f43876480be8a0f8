import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { ReportProblem } from '../../problems/report-problem.js';
import type { ScanLocation } from '../../scanning/batch.js';
import type { Matches } from '../../scanning/store.js';
import { useSession } from '../../session/context.js';
import { lazyPart } from '../../ui/lazy-part.js';
import { ButtonLink } from '../../ui/links.js';
import { UserText } from '../../ui/user-text.js';
import { ScanLocationSearch } from './scan-location-search.js';

const AttachDialog = lazyPart(() => import('../unknown-tags/attach-dialog.js'), 'AttachDialog');

/** A value that was scanned before a location was chosen, and the asset that it names, if any. */
export type Found = { value: string; asset: Matches[number] | undefined };

type FoundCardProps = { found: Found; onHere: (location: ScanLocation) => void; onClose: () => void };

/** The actions for a value that was scanned without a location. */
export function FoundCard({ found: { value, asset }, onHere, onClose }: FoundCardProps) {
  const { can } = useSession();
  const [step, setStep] = useState<'none' | 'here' | 'attach'>('none');
  return (
    <Paper withBorder p="md" component="section" aria-label={t`Scanned`}>
      <Stack gap="sm">
        <Text fw={650} size="lg" component="div">
          <UserText>{asset?.name ?? value}</UserText>
        </Text>
        {asset ? (
          <Group gap="sm">
            <ButtonLink size="md" to="/assets/$assetId" params={{ assetId: String(asset.id) }}>
              <Trans>Open</Trans>
            </ButtonLink>
            <Button size="md" variant="default" aria-expanded={step === 'here'} onClick={() => setStep('here')}>
              <Trans>It is here</Trans>
            </Button>
            <ReportProblem asset={asset} size="md" />
          </Group>
        ) : can('manager') ? (
          <Group gap="sm">
            <ButtonLink size="md" to="/assets/new" search={{ tag: value }}>
              <Trans>Create asset</Trans>
            </ButtonLink>
            <Button size="md" variant="default" onClick={() => setStep('attach')}>
              <Trans>Attach to asset</Trans>
            </Button>
          </Group>
        ) : (
          <Text size="sm">{t`Not assigned to an asset`}</Text>
        )}
        {step === 'here' && <ScanLocationSearch onChoose={onHere} />}
        {step === 'attach' && (
          <Suspense>
            <AttachDialog tag={{ tag_type: null, value }} onClose={onClose} />
          </Suspense>
        )}
      </Stack>
    </Paper>
  );
}
