import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import type { Outputs } from '../api/trpc.js';
import { useServer } from '../api/use-server.js';
import { AssetSelect } from '../ui/asset-select.js';
import type { Choice } from '../ui/search-select.js';
import { UserText } from '../ui/user-text.js';

type Result = Outputs['readers']['sendTestRead'];

/** How many of the newest assets are searched for one with a tag. */
const newestAssets = 20;

/** Sends a read of an asset's tag as if the reader had read it, and shows where the asset is then. */
export function TestRead({ readerId }: { readerId: number }) {
  const { trpc, refresh } = useServer();
  const [chosen, setChosen] = useState<Choice | null | undefined>();
  const newest = useQuery(trpc.assets.list.queryOptions({ sort: '-created_at', limit: newestAssets }));
  const tagged = newest.data?.data.find(({ tags }) => tags.length > 0);
  const asset = chosen === undefined ? (tagged ? { id: tagged.id, label: tagged.name } : null) : chosen;
  const send = useMutation(
    trpc.readers.sendTestRead.mutationOptions({
      onSuccess: () => refresh(trpc.home, trpc.assets, trpc.locations),
    }),
  );
  return (
    <Stack gap="sm">
      <Text size="sm">{t`Sends one read of an asset’s tag as if this reader had read it. The asset moves to the reader’s location.`}</Text>
      <Group align="flex-end" gap="sm">
        <div style={{ flex: '1 1 14rem' }}>
          <AssetSelect label={t`Asset to read`} value={asset} onChange={setChosen} />
        </div>
        <Button
          variant="default"
          disabled={!asset}
          loading={send.isPending}
          onClick={() => asset && send.mutate({ id: readerId, asset_id: asset.id })}
        >
          <Trans>Send test read</Trans>
        </Button>
      </Group>
      {newest.data && newest.data.data.length === 0 && (
        <Text size="sm" c="dimmed">{t`Create an asset with a tag first.`}</Text>
      )}
      <FormProblem problem={send.error ? problemOf(send.error) : null} />
      <div role="status">{send.data && <Outcome result={send.data} />}</div>
    </Stack>
  );
}

function Outcome({ result: { asset, from, location } }: { result: Result }) {
  return (
    <Alert
      color="green"
      icon={<IconCircleCheck />}
      title={
        <>
          <UserText>{asset.name}</UserText> → <UserText>{location?.name ?? t`No location`}</UserText>
        </>
      }
    >
      {outcomeText(from, location)}
    </Alert>
  );
}

function outcomeText(from: Result['from'], location: Result['location']): string {
  if (!location) return t`The read was stored. Set a location for this reader to see where the asset is.`;
  if (from?.id === location.id) return t`The read was stored. The asset’s location did not change.`;
  return t`The read was stored, and the asset is now at this location.`;
}
