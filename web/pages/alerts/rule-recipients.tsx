import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Checkbox, MultiSelect, NativeSelect, Stack, Text } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { AnchorLink } from '../../ui/links.js';
import { Unanswered } from '../../ui/problem-state.js';
import type { RuleForm } from './rule-conditions.js';

/** How many members the list shows; typing finds the others. */
const membersShownMax = 50;

type Member = Outputs['alertRules']['options']['members'][number];

function memberLabel({ name, email, is_proven: isProven }: Member): string {
  const label = email === null ? name : `${name} (${email})`;
  return isProven ? label : t`${label}, not confirmed`;
}

/** Who is notified: the alert list, members by email, webhooks. */
export function RuleRecipients({ form }: { form: RuleForm }) {
  const trpc = useTRPC();
  const { user, can } = useSession();
  const options = useQuery(trpc.alertRules.options.queryOptions());
  if (options.error || !options.data) return <Unanswered query={options} height={140} />;
  const { email_configured: hasEmail, members, endpoints } = options.data;
  const me = String(user.id);
  const { email_user_ids: recipients } = form.values;
  const ids = form.getInputProps('endpoint_ids');
  return (
    <Stack>
      <Checkbox label={t`Show in Alerts`} {...form.getInputProps('app', { type: 'checkbox' })} />
      {!hasEmail && (
        <Alert color="gray" icon={<IconMailOff />} title={t`Email is not set up`}>
          <Trans>
            No email is sent until the operator of this server sets <code>SMTP_URL</code> and <code>MAIL_FROM</code>.
          </Trans>
        </Alert>
      )}
      <div>
        <MultiSelect
          label={t`Email`}
          description={t`Also notifies the devices on which they turned notifications on.`}
          placeholder={recipients.length === 0 ? t`Nobody` : ''}
          searchable
          limit={membersShownMax}
          maxValues={50}
          nothingFoundMessage={t`No member matches`}
          data={members.map((member) => ({ value: String(member.user_id), label: memberLabel(member) }))}
          {...form.getInputProps('email_user_ids')}
        />
        {members.some(({ user_id: id, is_proven: isProven }) => !isProven && recipients.includes(String(id))) && (
          <Text size="sm" c="dimmed">
            {t`Members who have not confirmed their address get emails once they have.`}
          </Text>
        )}
        {!recipients.includes(me) && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => form.setFieldValue('email_user_ids', [...recipients, me])}
          >
            <Trans>Email me</Trans>
          </Anchor>
        )}
      </div>
      {recipients.length > 0 && (
        <NativeSelect
          label={t`How often`}
          data={[
            { value: 'each', label: t`At once` },
            { value: 'hourly', label: t`Hourly summary` },
            { value: 'daily', label: t`Daily summary (midnight UTC)` },
          ]}
          {...form.getInputProps('email_mode')}
        />
      )}
      {endpoints.length > 0 ? (
        <Checkbox.Group label={t`Webhooks`} {...ids}>
          <Stack gap={6} mt={6}>
            {endpoints.map(({ id, name, is_enabled: isEnabled }) => (
              <Checkbox key={id} value={String(id)} label={isEnabled ? name : t`${name} (disabled)`} />
            ))}
          </Stack>
        </Checkbox.Group>
      ) : (
        can('admin') && (
          <Text size="sm" c="dimmed">
            <Trans>
              To notify another system, <AnchorLink to="/alerts/webhooks">add a webhook</AnchorLink>.
            </Trans>
          </Text>
        )
      )}
    </Stack>
  );
}
