import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useSession } from '../../session/context.js';
import { Page } from '../../ui/page.js';
import { FormatsSection } from './formats-section.js';
import { PasswordSection } from './password-section.js';
import { ProfileSection } from './profile-section.js';
import { SessionsSection } from './sessions-section.js';
import { SignOnSection } from './sign-on-section.js';

/** The person's own settings. */
export function AccountPage() {
  const { user } = useSession();
  return (
    <Page title={t`Account`} width="narrow">
      <Stack>
        <ProfileSection key={`${user.id} ${user.name}`} user={user} />
        <FormatsSection />
        <PasswordSection />
        <SignOnSection />
        <SessionsSection />
      </Stack>
    </Page>
  );
}
