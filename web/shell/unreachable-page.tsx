import { Button, Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useSessionControl } from '../session/context.js';

const retryMs = 5000;

/** In place of the app while the service cannot be reached; it goes on by itself. */
export function UnreachablePage() {
  const session = useSessionControl();
  useEffect(() => {
    document.title = 'Not connected · Whereabouts';
    const again = () => void session.start();
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
          Can’t reach Whereabouts
        </Title>
        <Text c="dimmed">Check your connection. This page reloads automatically when the server responds.</Text>
        <Button variant="default" onClick={() => void session.start()}>
          Try again
        </Button>
      </Stack>
    </Center>
  );
}
