import { t } from '@lingui/core/macro';
import { Button, Grid, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProblem, isOutdated } from '../../api/server-form.js';
import { useServer } from '../../api/use-server.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ButtonLink } from '../../ui/links.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { Section } from '../assets/section.js';
import { Outdated } from './outdated.js';
import { RuleConditions } from './rule-conditions.js';
import { RulePreview } from './rule-preview.js';
import { RuleRecipients } from './rule-recipients.js';
import { RuleTimes } from './rule-times.js';
import { ruleOfValues, ruleProblems, type RuleValues, suggestedName } from './rule-values.js';

/** The names of a rule's fields in the form. */
const fieldNames = {
  'assets.value': 'match_value',
  'assets.ids': 'chosen_assets',
  'assets.metadata_key': 'metadata_key',
  'locations.ids': 'locations',
  limit_seconds: 'limit',
  threshold: 'threshold',
  'schedule.time_zone': 'time_zone',
  'schedule.days': 'days',
  'schedule.from': 'from',
  'schedule.to': 'to',
  'notify.email_user_ids': 'email_user_ids',
  'notify.endpoint_ids': 'endpoint_ids',
};

type RuleFormProps = {
  /** The rule to change, as it was when the form was opened; undefined for a new rule. */
  rule?: { id: number; is_enabled: boolean; updated_at: string };
  initial: RuleValues;
  /** Resets the form to the current rule. */
  onReload?: () => void;
};

/** Creates or changes an alert rule. */
export function RuleForm({ rule, initial, onReload }: RuleFormProps) {
  const { trpc, api, refresh } = useServer();
  const navigate = useNavigate();
  const form = useServerForm<RuleValues>({
    initialValues: initial,
    validate: ruleProblems,
    send: (values) => save(values),
    fieldNames,
  });
  const guard = useLeaveGuard(form.isDirty());
  const [isRefused, setRefused] = useState(false);

  /** Refused if somebody else has changed the rule since, unless `isForced`. */
  async function save(values: RuleValues, isForced = false): Promise<void> {
    setRefused(false);
    const input = { ...ruleOfValues(values), is_enabled: rule?.is_enabled ?? true };
    try {
      const base = isForced || !rule ? {} : { updated_at: rule.updated_at };
      if (rule) await api.alertRules.update.mutate({ id: rule.id, ...base, ...input });
      else await api.alertRules.create.mutate(input);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      setRefused(true);
      return;
    }
    guard.release();
    notifications.show({ message: rule ? t`The rule is saved: ${input.name}` : t`The rule is on: ${input.name}` });
    await refresh(trpc.alertRules, trpc.alerts);
    await navigate({ to: '/alerts/rules' });
  }

  return (
    <form onSubmit={form.send} noValidate aria-label={t`Alert rule`}>
      {guard.question}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Section title={t`Event`}>
              <RuleConditions form={form} />
            </Section>
            <Section title={t`Notify`}>
              {form.errors['app'] && <Text c="red.9">{form.errors['app']}</Text>}
              <RuleRecipients form={form} />
            </Section>
            <Section title={t`Times`}>
              <RuleTimes form={form} />
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <Section title={t`Preview`}>
              <RulePreview values={form.values} />
            </Section>
            <Section title={t`Save`}>
              <TextInput
                label={t`Name`}
                description={t`Leave blank to use the suggestion.`}
                placeholder={suggestedName(form.values)}
                maxLength={255}
                {...form.getInputProps('name')}
              />
              <FormProblem problem={form.problem} />
              {isRefused && (
                <Outdated
                  title={t`Somebody else has changed this rule`}
                  isBusy={form.submitting}
                  onReplace={() => void form.attempt(() => save(form.getValues(), true))}
                  onDiscard={() => onReload?.()}
                />
              )}
              <Group>
                <Button type="submit" loading={form.submitting}>
                  {rule ? t`Save rule` : t`Create rule`}
                </Button>
                <ButtonLink to="/alerts/rules" variant="default">{t`Cancel`}</ButtonLink>
              </Group>
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}
