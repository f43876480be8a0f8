import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.js';
import { Page } from '../../ui/page.js';

/** For an address that leads nowhere, or to what is not there any more. */
export function NotFoundPage() {
  return (
    <Page title="Nothing is here">
      <EmptyState
        icon={IconMapQuestion}
        title="This address leads nowhere"
        action={
          <Button component={Link} to="/">
            Go to the home page
          </Button>
        }
      >
        What was here may have been deleted, or belongs to another organisation.
      </EmptyState>
    </Page>
  );
}
