import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';
import { UserText } from './user-text.js';

export type SectionProps = {
  /** The fragment of the address that leads to the section. */
  id?: string;
  title: string;
  description?: ReactNode;
  /** A button next to the heading. */
  action?: ReactNode;
  children: ReactNode;
};

/** A part of a page with a heading of its own. */
export function Section({ id, title, description, action, children }: SectionProps) {
  return (
    <Paper
      {...(id !== undefined && { id })}
      component="section"
      withBorder
      p={{ base: 'md', sm: 'lg' }}
      aria-label={title}
      className={classes['section'] ?? ''}
    >
      <Stack>
        <Group justify="space-between" align="flex-start" gap="sm">
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
          {action}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
