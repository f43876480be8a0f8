import { t } from '@lingui/core/macro';
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../api/errors.js';
import { notifications } from '@mantine/notifications';
import { useTRPCClient } from '../api/trpc.js';
import { AuditColumn, AuditItem } from '../pages/locations/audit/audit-columns.js';
import { ScanEntry } from '../pages/scan/scan-entry.js';
import { batchReadsMax } from '../scanning/batch.js';
import { useWedgeScanner } from '../scanning/use-wedge-scanner.js';
import { ProblemState } from '../ui/problem-state.js';
import { quantity } from '../ui/quantity.js';
import { useContaining } from './use-containing.js';
import type { NamedAsset } from './words.js';

/** Compares what a person scans with the contents of a container. Nothing changes until the person says so. */
export function ContentsCheck({ container }: { container: NamedAsset }) {
  const api = useTRPCClient();
  const { putIn, takeOut } = useContaining();
  const [values, setValues] = useState<readonly string[]>([]);
  const compared = useQuery({
    queryKey: ['contents-check', container.id, values],
    queryFn: () =>
      api.containers.compare.mutate({ container_id: container.id, reads: values.map((value) => ({ value })) }),
    placeholderData: keepPreviousData,
  });
  const scan = (value: string) =>
    setValues((before) => (before.includes(value) || before.length >= batchReadsMax ? before : [...before, value]));
  useWedgeScanner(scan);

  const { found = [], missing = [], unexpected = [], unassigned = [] } = compared.data ?? {};

  async function correct(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', title, message: detail });
    }
    await compared.refetch();
  }

  return (
    <Stack gap="sm" component="section" aria-label={t`Check contents`}>
      <Text size="sm">{t`Scan everything that is in it. Nothing is changed until you say so.`}</Text>
      <ScanEntry onScan={scan} />
      {compared.error && !compared.data ? (
        <ProblemState error={compared.error} onRetry={() => void compared.refetch()} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 3 }} aria-live="polite">
          <AuditColumn
            id="missing"
            title={t`Missing`}
            color="red"
            total={missing.length}
            empty={t`Nothing is missing.`}
            items={missing.map((asset) => (
              <AuditItem key={asset.id} name={asset.name} id={asset.id} detail={asset.external_key} />
            ))}
          />
          <AuditColumn
            id="found"
            title={t`Found`}
            color="green"
            total={found.length}
            empty={t`Nothing found yet.`}
            items={found.map((asset) => (
              <AuditItem key={asset.id} name={asset.name} id={asset.id} detail={asset.external_key} />
            ))}
          />
          <AuditColumn
            id="unexpected"
            title={t`Unexpected`}
            color="orange"
            total={unexpected.length + unassigned.length}
            empty={t`Nothing unexpected.`}
            items={[
              ...unexpected.map((asset) => (
                <AuditItem key={asset.id} name={asset.name} id={asset.id} detail={asset.external_key} />
              )),
              ...unassigned.map((value) => <AuditItem key={value} name={value} detail={t`Unassigned`} />),
            ]}
          />
        </SimpleGrid>
      )}
      {values.length > 0 && (
        <Group gap="xs">
          {missing.length > 0 && (
            <Button
              size="xs"
              variant="default"
              disabled={compared.isFetching}
              onClick={() =>
                void correct(() =>
                  takeOut(
                    container.id,
                    missing.map(({ id }) => id),
                  ),
                )
              }
            >
              {t`Take out what is missing: ${quantity(missing.length, 'asset')}`}
            </Button>
          )}
          {unexpected.length > 0 && (
            <Button
              size="xs"
              variant="default"
              disabled={compared.isFetching}
              onClick={() =>
                void correct(() =>
                  putIn(
                    container,
                    unexpected.map(({ id }) => id),
                  ),
                )
              }
            >
              {t`Put in what is unexpected: ${quantity(unexpected.length, 'asset')}`}
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={() => setValues([])}>{t`Start again`}</Button>
        </Group>
      )}
    </Stack>
  );
}
