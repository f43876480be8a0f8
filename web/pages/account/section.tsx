import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { UserText } from '../../ui/user-text.js';

export type SectionProps = { title: string; description?: ReactNode; children: ReactNode };

/** A part of a page with a heading of its own. */
export function Section({ title, description, children }: SectionProps) {
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-label={title}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            <UserText>{title}</UserText>
          </Title>
          {description && (
            <Text size="sm" c="dimmed" component="div">
              {description}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}
