import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconMapQuestion } from '@tabler/icons-react';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';

/** The page of an address that no other page has. */
export function NotFoundPage() {
  return (
    <Page title={t`Page not found`}>
      <EmptyState
        icon={IconMapQuestion}
        title={t`There is no page at this address`}
        action={<ButtonLink to="/">{t`Go to Home`}</ButtonLink>}
      >
        <Trans>Check the address, or use the search at the top of the page.</Trans>
      </EmptyState>
    </Page>
  );
}
