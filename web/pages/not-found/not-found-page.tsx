import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconMapQuestion } from '@tabler/icons-react';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';

/** For an address that leads nowhere, or to what is not there any more. */
export function NotFoundPage() {
  return (
    <Page title={t`Page not found`}>
      <EmptyState
        icon={IconMapQuestion}
        title={t`Page not found`}
        action={<ButtonLink to="/">{t`Go to Home`}</ButtonLink>}
      >
        <Trans>It may have been deleted, or it belongs to another organization.</Trans>
      </EmptyState>
    </Page>
  );
}
