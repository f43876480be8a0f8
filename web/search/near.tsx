import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { ScanLocationSearch } from '../pages/scan/scan-location-search.js';
import type { ScanLocation } from '../scanning/batch.js';
import { openScanStore, recentLocations, rememberLocation } from '../scanning/store.js';
import { useSession } from '../session/context.js';
import { ownerOf } from '../session/owner.js';
import { UserText } from '../ui/user-text.js';

/**
 * Returns the location that the person last scanned at or chose on this device, and a function to choose another one.
 */
export function useNear(): [ScanLocation | undefined, (location: ScanLocation) => void] {
  const owner = ownerOf(useSession());
  const [near, setNear] = useState<ScanLocation>();
  useEffect(() => {
    let isGone = false;
    openScanStore()
      .then((store) => recentLocations(store, owner))
      .then(
        ([latest]) => {
          if (!isGone) setNear((chosen) => chosen ?? latest);
        },
        // Without storage, nothing is remembered.
        () => undefined,
      );
    return () => {
      isGone = true;
    };
  }, [owner]);
  function choose(location: ScanLocation): void {
    setNear(location);
    void openScanStore()
      .then((store) => rememberLocation(store, owner, location))
      .catch(() => undefined);
  }
  return [near, choose];
}

type NearLineProps = { near: ScanLocation | undefined; onChoose: (location: ScanLocation) => void };

/** Shows the location that results are to be near to, and lets the person choose another one. */
export function NearLine({ near, onChoose }: NearLineProps) {
  const [isChoosing, setChoosing] = useState(false);
  return (
    <div style={{ padding: '8px 14px 0' }}>
      <Group gap="xs" wrap="nowrap">
        <IconCurrentLocation size={16} aria-hidden style={{ flex: 'none' }} />
        <Text size="sm" component="div" style={{ minWidth: 0 }}>
          {near ? (
            <Trans>
              Near <UserText>{near.name}</UserText>
            </Trans>
          ) : (
            t`Where are you?`
          )}
        </Text>
        <Button size="compact-sm" variant="subtle" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)}>
          {near ? t`Change` : t`Choose a location`}
        </Button>
      </Group>
      {isChoosing && (
        <ScanLocationSearch
          onChoose={(location) => {
            setChoosing(false);
            onChoose(location);
          }}
        />
      )}
    </div>
  );
}
