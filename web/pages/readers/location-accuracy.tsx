import { t } from '@lingui/core/macro';
import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { LocationLink } from '../../ui/object-links.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';

type Accuracy = Outputs['locations']['accuracy'];
type Row = Accuracy['data'][number];

/** How often assets were shown where people found them, by location; renders nothing before the first check. */
export function LocationAccuracy() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.locations.accuracy.queryOptions());
  if (!data || data.checks === 0) return null;
  return (
    <section aria-labelledby="accuracy">
      <Stack gap="sm" mt="xl">
        <Title order={2} size="h4" id="accuracy">{t`Location accuracy`}</Title>
        <Text size="sm">{summaryOf(data)}</Text>
        <Text size="sm" c="dimmed">
          {t`Compares each handheld scan, audit and calibration with the location that was shown one second before. Assets that no reader has read since their last scan do not count.`}
        </Text>
        <DataTable
          caption={t`Location accuracy`}
          columns={columns}
          rows={data.data}
          rowId={({ location }) => String(location.id)}
          empty={null}
        />
      </Stack>
    </section>
  );
}

function summaryOf({ right, checks, days }: Accuracy): string {
  return t`Right ${numberText(right)} of ${quantity(checks, 'time')} in the last ${quantity(days, 'day')}`;
}

/** What to do about the mistakes at a location. */
function adviceText({ advice, confusions }: Row): string {
  const other = confusions[0]?.location?.name ?? '';
  if (advice === 'add_antenna') return t`Add an antenna here, or set the location of the antenna that reads it`;
  if (advice === 'raise_threshold') {
    return t`Raise the minimum RSSI of the antenna at ${other}, or reduce its transmit power`;
  }
  if (advice === 'combine') return t`Calibrate both this location and ${other}; if that does not help, combine them`;
  return '';
}

const columns: Column<Row>[] = [
  {
    id: 'location',
    header: t`Location`,
    cell: (row) => <LocationLink id={row.location.id} name={row.location.name} />,
  },
  { id: 'right', header: t`Right`, cell: (row) => t`${numberText(row.right)} of ${numberText(row.checks)}` },
  {
    id: 'confusions',
    header: t`Shown instead`,
    cell: (row) =>
      row.confusions.map(({ location, checks }) => (
        <Text key={location?.id ?? 0} size="sm">
          {location ? <UserText>{location.name}</UserText> : t`No location`} ({numberText(checks)})
        </Text>
      )),
  },
  { id: 'advice', header: t`What to do`, cell: (row) => <Text size="sm">{adviceText(row)}</Text> },
];
