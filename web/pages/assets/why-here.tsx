import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { levelText } from '../../ui/level.js';
import { LocationLink } from '../../ui/object-links.js';
import { Unanswered } from '../../ui/problem-state.js';
import { tagTypeName } from '../../ui/tag-badge.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { useLiveRefresh } from '../locations/use-live-refresh.js';
import {
  aheadText,
  type AssetEvidence,
  confidenceText,
  type EvidenceLocation,
  nextText,
  reasonText,
} from './evidence-text.js';
import { Section } from './section.js';

/** The column of tags is shown only if several tags of the asset were read. */
function columnsFor({ hasSeveralTags }: { hasSeveralTags: boolean }): Column<EvidenceLocation>[] {
  return [
    { id: 'location', header: t`Location`, cell: (row) => <Antenna item={row} isTagNamed={hasSeveralTags} /> },
    {
      id: 'rssi',
      header: t`RSSI`,
      align: 'end',
      cell: (row) => (row.rssi_dbm === null ? '–' : levelText(row.rssi_dbm)),
    },
    { id: 'last', header: t`Last read`, cell: (row) => <When at={row.last_read_at} /> },
    { id: 'ahead', header: t`Compared with here`, cell: (row) => aheadText(row) || t`Is here` },
  ];
}

function Antenna({ item, isTagNamed }: { item: EvidenceLocation; isTagNamed: boolean }) {
  return (
    <>
      {item.location_id === null ? (
        <Text size="sm" c="dimmed">{t`No location`}</Text>
      ) : (
        <LocationLink id={item.location_id} name={item.location_name ?? ''} c="inherit" fz="inherit" />
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

/** Explains the current location of an asset: how loud each location hears it, how sure the decision is, and why. */
export function WhyHere({ assetId }: { assetId: number }) {
  const trpc = useTRPC();
  const evidence = useQuery(trpc.assets.evidence.queryOptions({ asset_id: assetId }));
  useLiveRefresh(trpc.assets.evidence.queryFilter({ asset_id: assetId }), (positions) =>
    positions.some(({ asset_id: id }) => id === assetId),
  );
  return (
    <Section title={t`Why here?`}>
      {evidence.data ? <Explained evidence={evidence.data} /> : <Unanswered query={evidence} height={90} />}
    </Section>
  );
}

function Explained({ evidence }: { evidence: AssetEvidence }) {
  const { confidence, locations, reason } = evidence;
  if (reason === null) return <Text c="dimmed">{t`The explanation appears with the next read.`}</Text>;
  return (
    <Stack gap="sm">
      {confidence !== null && (
        <Text size="sm">
          <Trans>Confidence: {confidenceText(confidence)}</Trans>
        </Text>
      )}
      <Text size="sm" component="div">
        <UserText>{[reasonText(evidence), nextText(evidence)].filter((text) => text !== '').join(' ')}</UserText>
      </Text>
      <DataTable
        caption={t`Locations that hear it`}
        columns={columnsFor({ hasSeveralTags: new Set(locations.map(({ tag_value: value }) => value)).size > 1 })}
        rows={locations}
        isBoxed
        rowId={({ reader_id, antenna }) => `${reader_id} ${antenna}`}
        empty={<Text c="dimmed">{t`No fixed reader has read it here.`}</Text>}
      />
    </Stack>
  );
}
