import { t } from '@lingui/core/macro';
import { Button, Center, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Suspense, useEffect } from 'react';
import { useSessionControl } from '../session/context.js';
import type { Identity } from '../session/identity.js';
import { ownerOf } from '../session/owner.js';
import type { Session } from '../session/session.js';
import { lazyPart } from '../ui/lazy-part.js';
import { ButtonLink } from '../ui/links.js';

const LastKnownPlaces = lazyPart(() => import('../offline/last-known-places.js'), 'LastKnownPlaces');

const retryMs = 5000;

const texts = {
  offline: {
    title: t`You are offline`,
    text: t`Check your connection. This page opens automatically when you are back online.`,
  },
  unreachable: {
    title: t`Can’t reach Whereabouts`,
    text: t`Check your connection. This page reloads automatically when the server responds.`,
  },
};

export type UnreachablePageProps = {
  /** The last person, who may scan without the server and see what this device remembers for them. */
  last: Identity | undefined;
  /** The address of the page that this page replaces. */
  address: string;
};

/** Shown instead of a page while the server cannot be reached. The page opens automatically when the server is back. */
export function UnreachablePage({ last, address }: UnreachablePageProps) {
  const session = useSessionControl();
  const { online } = useNetwork();
  const { title, text } = online ? texts.unreachable : texts.offline;
  useEffect(() => {
    document.title = t`Not connected · Whereabouts`;
    const again = () => void retry(session);
    const timer = setInterval(again, retryMs);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [session]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack align="center" ta="center" gap="sm" maw={420}>
        <ThemeIcon size={56} radius="xl" variant="light" color="orange">
          <IconPlugConnectedX size={28} stroke={1.6} aria-hidden />
        </ThemeIcon>
        <Title order={1} size="h3">
          {title}
        </Title>
        <Text c="dimmed">{text}</Text>
        <Group justify="center">
          <Button variant="default" onClick={() => void retry(session)}>
            {t`Try again`}
          </Button>
          {last && last.organization.role !== 'viewer' && <ButtonLink to="/scan">{t`Scan offline`}</ButtonLink>}
        </Group>
        {last && (
          <Suspense fallback={null}>
            <LastKnownPlaces owner={ownerOf(last)} address={address} />
          </Suspense>
        )}
      </Stack>
    </Center>
  );
}

/** Requests the session again. The page is then reloaded, since its files could not be loaded either. */
async function retry(session: Session): Promise<void> {
  await session.start();
  if (session.state().status !== 'unreachable') window.location.reload();
}
