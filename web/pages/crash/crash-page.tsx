import { Button, Code } from '@mantine/core';
import { IconMoodSad } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';

/** For a page that failed, or could not be loaded after the service got a new version. */
export function CrashPage({ error }: ErrorComponentProps) {
  return (
    <Page title="This page did not work">
      <EmptyState
        icon={IconMoodSad}
        title="Something went wrong while showing this page"
        action={<Button onClick={() => window.location.reload()}>Load it again</Button>}
      >
        What the service has stored is not affected.{' '}
        <Code>{error instanceof Error ? error.message : String(error)}</Code>
      </EmptyState>
    </Page>
  );
}
