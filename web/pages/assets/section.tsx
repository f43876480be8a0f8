import { Group, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { NowMark } from '../../time/now-mark.js';

/** A part of an asset's page, with its own heading. */
export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between" mih={30}>
          <Title order={2} size="h4">
            {title}
            <NowMark />
          </Title>
          {action}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
