import { t } from '@lingui/core/macro';
import { Group, Stack } from '@mantine/core';
import { NotificationsButton } from '../../push/notifications-button.js';
import { useSession } from '../../session/context.js';
import { Page } from '../../ui/page.js';
import { Section } from '../../ui/section.js';
import { FormatsSection } from './formats-section.js';
import { PasswordSection } from './password-section.js';
import { ProfileSection } from './profile-section.js';
import { ScheduledEmailsSection } from './scheduled-emails-section.js';
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
        <Section title={t`Notifications`} description={t`Alerts on this device, even if Whereabouts is closed.`}>
          <Group>
            <NotificationsButton />
          </Group>
        </Section>
        <PasswordSection />
        <SignOnSection />
        <SessionsSection />

        {/* Last, so that nothing moves when it appears. */}
        <ScheduledEmailsSection />
      </Stack>
    </Page>
  );
}
