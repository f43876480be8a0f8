import { t } from '@lingui/core/macro';
import { Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { matching } from './seen-assets.js';
import { SeenAssetCard } from './seen-asset-card.js';
import { useSeenAssets } from './use-seen-assets.js';

const shownMax = 8;

type LastKnownPlacesProps = {
  owner: string;
  /** The address of the page that cannot be shown. */
  address: string;
};

/** The locations that this device remembers: for the asset whose page is open, and for other assets by a search. */
export function LastKnownPlaces({ owner, address }: LastKnownPlacesProps) {
  const assets = useSeenAssets(owner);
  const [text, setText] = useState('');
  const pageId = /^\/assets\/(\d+)/.exec(address)?.[1];
  const ofPage = assets?.find(({ id }) => String(id) === pageId);
  if (!assets || assets.length === 0) return null;
  const found = matching(assets, text.trim());
  return (
    <Stack component="section" aria-label={t`Last known places`} w="100%" gap="sm">
      {ofPage && (
        <Paper withBorder p="md">
          <SeenAssetCard asset={ofPage} />
        </Paper>
      )}
      <Title order={2} size="h4">{t`Last known places`}</Title>
      <TextInput
        aria-label={t`Search the last known places`}
        placeholder={t`Name, key or path`}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Stack component="ul" gap="sm" m={0} p={0} aria-live="polite" style={{ listStyle: 'none' }}>
        {found.slice(0, shownMax).map((asset) => (
          <Paper component="li" key={asset.id} withBorder p="sm">
            <SeenAssetCard asset={asset} />
          </Paper>
        ))}
      </Stack>
      {found.length === 0 && <Text c="dimmed">{t`No results`}</Text>}
    </Stack>
  );
}
