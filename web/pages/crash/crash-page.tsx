import { Button, Code } from '@mantine/core';
import { IconMoodSad } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';

/** For a page that failed, or could not be loaded after the service got a new version. */
export function CrashPage({ error }: ErrorComponentProps) {
  return (
    <Page title="Something went wrong">
      <EmptyState
        icon={IconMoodSad}
        title="This page could not be displayed"
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      >
        Your data is not affected. <Code>{error instanceof Error ? error.message : String(error)}</Code>
      </EmptyState>
    </Page>
  );
}
