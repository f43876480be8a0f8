import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, NativeSelect, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FormProblem } from '../../api/server-form.js';
import { type Inputs, type Outputs, useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { roleChoices } from '../../session/roles.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { CopyField } from '../../ui/copy-field.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ProblemState } from '../../ui/problem-state.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { UserText } from '../../ui/user-text.js';
import { Section } from '../../ui/section.js';

type Domain = Outputs['emailDomains']['list']['data'][number];
type DomainRole = NonNullable<Inputs['emailDomains']['add']['role']>;

/** Only administrators can make administrators. */
const roleOptions = roleChoices.filter(({ value }) => value !== 'admin').map(({ value, label }) => ({ value, label }));

/** The email domains whose people become members at their first single sign-on. For services with single sign-on. */
export function EmailDomainsSection() {
  const trpc = useTRPC();
  const domains = useQuery(trpc.emailDomains.list.queryOptions());
  return (
    <Section
      id="email-domains"
      title={t`Email domains`}
      description={t`People with an address of a verified domain become members when they use single sign-on for the first time.`}
    >
      {domains.error && <ProblemState error={domains.error} onRetry={() => void domains.refetch()} />}
      {domains.data?.data.map((domain) => (
        <DomainRow key={domain.domain} domain={domain} />
      ))}
      <AddDomainForm />
    </Section>
  );
}

function DomainRow({ domain: row }: { domain: Domain }) {
  const { domain, role, verified_at, record_name, record_value } = row;
  const { trpc, api, refresh } = useServer();
  const isVerified = verified_at !== null;
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSuccess: () => refresh(trpc.emailDomains),
  });

  async function verify(): Promise<void> {
    await api.emailDomains.verify.mutate({ domain });
    notifications.show({ message: t`${domain} is verified` });
  }

  return (
    <Stack gap="xs" role="group" aria-label={domain}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={550} component="span">
            <UserText>{domain}</UserText>
          </Text>
          <Badge color={isVerified ? 'green' : 'orange'}>{isVerified ? t`Verified` : t`Not verified`}</Badge>
        </Group>
        <Group gap="xs">
          <NativeSelect
            size="xs"
            aria-label={t`Role of new members from ${domain}`}
            data={roleOptions}
            value={role}
            disabled={change.isPending}
            onChange={(event) => {
              const chosen = event.currentTarget.value as DomainRole;
              change.mutate(() => api.emailDomains.setRole.mutate({ domain, role: chosen }));
            }}
          />
          <ConfirmButton
            size="xs"
            question={t`Remove this domain?`}
            consequence={t`Its people can join by invitation only. Present members stay.`}
            confirm={t`Remove domain`}
            onConfirm={async () => {
              await api.emailDomains.remove.mutate({ domain });
              await refresh(trpc.emailDomains);
            }}
          >
            <Trans>
              Remove<VisuallyHidden> {domain}</VisuallyHidden>
            </Trans>
          </ConfirmButton>
        </Group>
      </Group>
      {!isVerified && (
        <>
          <Text size="sm">{t`Add this TXT record at the DNS provider of the domain. Then choose Verify.`}</Text>
          <CopyField label={t`Record name`} value={record_name} />
          <CopyField label={t`Record value`} value={record_value} />
          <Group>
            <Button size="xs" loading={change.isPending} onClick={() => change.mutate(verify)}>
              <Trans>
                Verify<VisuallyHidden> {domain}</VisuallyHidden>
              </Trans>
            </Button>
          </Group>
        </>
      )}
      <FormProblem error={change.error} />
    </Stack>
  );
}

type NewDomain = { domain: string; role: DomainRole };

function AddDomainForm() {
  const { trpc, api, answers } = useServer();
  const form = useServerForm<NewDomain>({ initialValues: { domain: '', role: 'viewer' }, send: add });
  const guard = useLeaveGuard(form.values.domain.trim() !== '');

  async function add(values: NewDomain): Promise<void> {
    await api.emailDomains.add.mutate(values);
    form.reset();
    await answers.invalidateQueries(trpc.emailDomains.pathFilter());
  }

  return (
    <ServerForm form={form} submit={t`Add domain`} maw={560}>
      <TextInput label={t`Domain`} placeholder={t`example.com`} required {...form.getInputProps('domain')} />
      <NativeSelect label={t`Role of new members`} data={roleOptions} {...form.getInputProps('role')} />
      {guard.question}
    </ServerForm>
  );
}
