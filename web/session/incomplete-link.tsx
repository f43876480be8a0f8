import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { type MailedPage, mailedLinkOf } from './mailed-link.js';

/**
 * Returns the token of the link that opened the page; null if the link is incomplete. The token is after the `#`, in
 * the part of the address that browsers do not send.
 */
export function useMailedToken(page: MailedPage): string | null {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  return mailedLinkOf(`/${page}#${hash}`)?.token ?? null;
}

export const incompleteTitle = t`This link is incomplete`;

/** Explains why a link from an email does not work, and what to do. */
export function IncompleteLink() {
  return (
    <Text>
      <Trans>
        The link was cut off or changed on its way to you, for example by a mail program. Copy the whole link from the
        email into the address bar, or ask for a new one.
      </Trans>
    </Text>
  );
}
