import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';

/** For an address that leads nowhere, or to what is not there any more. */
export function NotFoundPage() {
  return (
    <Page title={t`Page not found`}>
      <EmptyState
        icon={IconMapQuestion}
        title={t`Page not found`}
        action={<Button component={Link} to="/">{t`Go to Home`}</Button>}
      >
        <Trans>It may have been deleted, or it belongs to another organization.</Trans>
      </EmptyState>
    </Page>
  );
}
