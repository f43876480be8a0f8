import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export type EmptyStateProps = { icon: Icon; title: string; children?: ReactNode; action?: ReactNode };

/** Shown instead of an empty list: why it is empty, and what to do first. */
export function EmptyState({ icon: Picture, title, children, action }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center" py="lg">
        <ThemeIcon size={56} radius="xl" variant="light">
          <Picture size={28} stroke={1.6} aria-hidden />
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        {children && (
          <Text c="dimmed" component="div" maw="52ch">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  );
}
