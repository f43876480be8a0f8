import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useLiveStatus } from '../live/provider.js';

/** The names of the app's files, which contain hashes of their contents, as they are in a document. */
function filesOf(page: Document): string {
  const scripts = [...page.querySelectorAll('script[type="module"][src]')];
  return scripts.map((script) => script.getAttribute('src')).join(' ');
}

/** Returns whether the service has files of another version than this page. */
async function isOutdated(): Promise<boolean> {
  const answer = await fetch('/', { cache: 'no-store', credentials: 'omit' });
  if (!answer.ok) return false;
  const current = filesOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  return current !== '' && current !== filesOf(document);
}

/**
 * Says that the service has a new version of the app. Asks whenever the live connection is back, as it is after a
 * restart of the service and when the tab is shown again. The next page that is opened is loaded in the new version.
 */
export function NewVersion() {
  const router = useRouter();
  const isLive = useLiveStatus().state === 'live';
  const [isNew, setNew] = useState(false);

  useEffect(() => {
    if (!isLive || isNew) return;
    isOutdated().then(setNew, () => {});
  }, [isLive, isNew]);

  useEffect(() => {
    if (!isNew) return undefined;
    return router.subscribe('onBeforeNavigate', ({ pathChanged, toLocation }) => {
      if (pathChanged) location.assign(toLocation.href);
    });
  }, [router, isNew]);

  if (!isNew) return null;
  return (
    <Alert role="alert" color="blue" icon={<IconRefresh aria-hidden />} title={t`New version of Whereabouts`} mb="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{t`This page is of an earlier version. Save what you have entered, then reload.`}</Text>
        <Button size="sm" onClick={() => location.reload()}>{t`Reload`}</Button>
      </Group>
    </Alert>
  );
}
