import { t } from '@lingui/core/macro';
import { Button, Code } from '@mantine/core';
import { IconMoodSad, IconPlugConnectedX } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';

const texts = {
  offlineTitle: t`You are offline`,
  offline: t`This page is not on your device yet. Open it again when you are back online.`,
  title: t`Something went wrong`,
  heading: t`This page could not be displayed`,
  text: t`Your data is not affected.`,
  reload: t`Reload`,
};

/** For a page that failed, or could not be loaded: offline, or after an update of the server. */
export function CrashPage({ error }: ErrorComponentProps) {
  const reload = <Button onClick={() => window.location.reload()}>{texts.reload}</Button>;
  if (!navigator.onLine) {
    return (
      <Page title={texts.offlineTitle}>
        <EmptyState icon={IconPlugConnectedX} title={texts.offlineTitle} action={reload}>
          {texts.offline}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={texts.title}>
      <EmptyState icon={IconMoodSad} title={texts.heading} action={reload}>
        {texts.text} <Code>{error instanceof Error ? error.message : String(error)}</Code>
      </EmptyState>
    </Page>
  );
}
