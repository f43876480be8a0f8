import { Trans } from '@lingui/react/macro';
import { Badge, Box, Group } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Logo } from './logo.js';

/** The frame around the page that works while the service cannot be reached. */
export function OfflineFrame({ children }: { children: ReactNode }) {
  return (
    <Box p={{ base: 'sm', sm: 'lg' }} mih="100dvh" bg="var(--whereabouts-canvas)">
      <Group component="header" justify="space-between" pb="md">
        <Logo size={26} />
        <Badge size="lg" color="orange" leftSection={<IconPlugConnectedX size={14} aria-hidden />}>
          <Trans>Not connected</Trans>
        </Badge>
      </Group>
      <main id="content">{children}</main>
    </Box>
  );
}
