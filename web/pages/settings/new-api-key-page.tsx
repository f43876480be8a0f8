import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { RequireRole } from '../../session/require-role.js';
import { ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { UserText } from '../../ui/user-text.js';
import { CreatedKey, type CreatedKeyProps } from './created-key.js';
import { NewApiKeyForm } from './new-api-key-form.js';
import { Section } from '../../ui/section.js';

/** Creates a key, and shows its token only once. */
export function NewApiKeyPage() {
  const [created, setCreated] = useState<CreatedKeyProps | null>(null);
  const title = created ? t`Your new key` : t`New key`;
  return (
    <Page title={title} width="narrow" back={<BackLink to="/settings" hash="api-keys">{t`Settings`}</BackLink>}>
      <RequireRole needs="admin">
        {created ? (
          <Section
            title={created.name}
            description={
              <>
                <Trans>
                  For <UserText>{created.organizationName}</UserText>.
                </Trans>
              </>
            }
          >
            <CreatedKey {...created} />
            <Group>
              <ButtonLink to="/settings" hash="api-keys">{t`Done`}</ButtonLink>
            </Group>
          </Section>
        ) : (
          <Section title={t`What the key is for`}>
            <NewApiKeyForm onCreated={setCreated} />
          </Section>
        )}
      </RequireRole>
    </Page>
  );
}
