import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/empty-state.js';
import { type Role, useSession } from './context.js';
import { roleName } from './roles.js';

/** Shows its content to people with the role, and a hint to others. The service checks the role as well. */
export function RequireRole({ needs, children }: { needs: Role; children: ReactNode }) {
  const { can } = useSession();
  if (can(needs)) return children;
  return (
    <EmptyState icon={IconLock} title={t`${roleName(needs)}s only`}>
      <Trans>Ask an administrator of your organization if you need access.</Trans>
    </EmptyState>
  );
}
