import { t } from '@lingui/core/macro';
import { Button, Code } from '@mantine/core';
import { IconMoodSad, IconPlugConnectedX } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';

const offlineTitle = t`You are offline`;

/** For a page that failed, or could not be loaded: offline, or after an update of the server. */
export function CrashPage({ error }: ErrorComponentProps) {
  const reload = <Button onClick={() => window.location.reload()}>{t`Reload`}</Button>;
  if (!navigator.onLine) {
    return (
      <Page title={offlineTitle}>
        <EmptyState icon={IconPlugConnectedX} title={offlineTitle} action={reload}>
          {t`This page is not on your device yet. Open it again when you are back online.`}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={t`Something went wrong`}>
      <EmptyState icon={IconMoodSad} title={t`This page could not be displayed`} action={reload}>
        {t`Your data is not affected.`} <Code>{error instanceof Error ? error.message : String(error)}</Code>
      </EmptyState>
    </Page>
  );
}
