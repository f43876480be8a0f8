import { t } from '@lingui/core/macro';
import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { UserText } from '../ui/user-text.js';
import { Logo } from './logo.js';

export type EntranceProps = { title: string; description?: ReactNode; children: ReactNode };

/** The frame of the pages for people who are not signed in: signing in, joining, the first run. */
export function Entrance({ title, description, children }: EntranceProps) {
  useEffect(() => {
    document.title = t`${title} · Whereabouts`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p={{ base: 'lg', sm: 'xl' }} w="100%" maw={440}>
        <Stack>
          <Logo size={40} />
          <div>
            <Title order={1} size="h3">
              <UserText>{title}</UserText>
            </Title>
            {description && (
              <Text c="dimmed" component="div" mt={4}>
                {description}
              </Text>
            )}
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
