import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { type ColumnDef, DataTable } from '../../ui/data-table.js';
import { levelText } from '../../ui/level.js';
import { AnchorLink } from '../../ui/links.js';
import { ProblemState } from '../../ui/problem-state.js';
import { tagTypeName } from '../../ui/tag-badge.js';
import { durationText } from '../../ui/times.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { useLiveRefresh } from '../locations/use-live-refresh.js';
import {
  type AssetEvidence,
  comparisonText,
  confidenceText,
  type EvidenceItem,
  nextText,
  reasonText,
} from './evidence-text.js';
import { Section } from './section.js';

/** The column of tags is shown only if several tags of the asset were read. */
function columnsFor({ hasSeveralTags }: { hasSeveralTags: boolean }): ColumnDef<EvidenceItem>[] {
  return [
    {
      id: 'location',
      header: t`Location`,
      cell: ({ row: { original } }) => <Antenna item={original} isTagNamed={hasSeveralTags} />,
    },
    {
      id: 'rssi',
      header: t`RSSI`,
      meta: { align: 'end' },
      cell: ({ row: { original } }) => (original.rssi_dbm === null ? '–' : levelText(original.rssi_dbm)),
    },
    {
      id: 'reads',
      header: t`Reads`,
      meta: { align: 'end' },
      cell: ({ row: { original } }) => numberText(original.reads),
    },
    { id: 'last', header: t`Last read`, cell: ({ row: { original } }) => <LastRead item={original} /> },
  ];
}

function Antenna({ item, isTagNamed }: { item: EvidenceItem; isTagNamed: boolean }) {
  return (
    <>
      {item.location_id === null ? (
        <Text size="sm" c="dimmed">{t`No location`}</Text>
      ) : (
        <AnchorLink
          to="/locations/$locationId"
          params={{ locationId: String(item.location_id) }}
          c="inherit"
          fz="inherit"
        >
          <UserText>{item.location_name ?? ''}</UserText>
        </AnchorLink>
      )}
      <Text size="xs" c="dimmed" component="div">
        {item.kind === 'portal' ? (
          <Trans>
            <UserText>{item.reader_name}</UserText>, portal antenna {item.antenna}
          </Trans>
        ) : (
          <Trans>
            <UserText>{item.reader_name}</UserText>, antenna {item.antenna}
          </Trans>
        )}
        {isTagNamed && item.tag_value !== null && (
          <>
            {`, ${tagTypeName(item.tag_type)} `}
            <UserText>{item.tag_value}</UserText>
          </>
        )}
      </Text>
    </>
  );
}

function LastRead({ item }: { item: EvidenceItem }) {
  return (
    <>
      <When at={item.last_read_at} />
      {item.silent_seconds !== null && (
        <Text size="xs" c="dimmed">
          <Trans>Silent for {durationText(item.silent_seconds * 1000)}</Trans>
        </Text>
      )}
    </>
  );
}

/** Explains the current location of an asset: what each antenna has read, how sure it is, and why. */
export function WhyHere({ assetId }: { assetId: number }) {
  const trpc = useTRPC();
  const evidence = useQuery(trpc.assets.evidence.queryOptions({ asset_id: assetId }));
  useLiveRefresh(trpc.assets.evidence.queryFilter({ asset_id: assetId }), (positions) =>
    positions.some(({ asset_id: id }) => id === assetId),
  );
  return (
    <Section title={t`Why here?`}>
      {evidence.error && !evidence.data ? (
        <ProblemState error={evidence.error} onRetry={() => void evidence.refetch()} />
      ) : evidence.data ? (
        <Explained evidence={evidence.data} />
      ) : (
        <Skeleton height={90} aria-busy="true" />
      )}
    </Section>
  );
}

function Explained({ evidence }: { evidence: AssetEvidence }) {
  const { confidence, evidence: items } = evidence;
  if (confidence === null) return <Text c="dimmed">{t`The explanation appears with the next read.`}</Text>;
  const comparison = comparisonText(items);
  return (
    <Stack gap="sm">
      <Text size="sm">
        <Trans>Confidence: {confidenceText(confidence)}</Trans>
      </Text>
      <Text size="sm" component="div">
        <UserText>
          {[reasonText(evidence), nextText(evidence), comparison].filter((text) => text !== '').join(' ')}
        </UserText>
      </Text>
      <DataTable
        caption={t`Antennas that read it`}
        columns={columnsFor({ hasSeveralTags: new Set(items.map(({ tag_value: value }) => value)).size > 1 })}
        rows={items}
        isBoxed
        rowId={({ reader_id, antenna, tag_value }) => `${reader_id} ${antenna} ${tag_value ?? ''}`}
        empty={<Text c="dimmed">{t`No fixed reader has read it here.`}</Text>}
      />
    </Stack>
  );
}
