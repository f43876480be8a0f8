import { t } from '@lingui/core/macro';
import { Checkbox, Group, NativeSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { durationText } from '../../ui/times.js';
import type { RuleForm } from './rule-conditions.js';

const dayNames = [t`Mon`, t`Tue`, t`Wed`, t`Thu`, t`Fri`, t`Sat`, t`Sun`];
const quietChoices = [0, 600, 3600, 8 * 3600, 86_400, 7 * 86_400];

/** When the rule is active, and how long it is quiet after it fired. */
export function RuleTimes({ form }: { form: RuleForm }) {
  const { has_hours: hasHours, quiet_seconds: quiet, from, to } = form.values;
  const choices = [...new Set([...quietChoices, Number(quiet)])].sort((one, other) => one - other);
  return (
    <Stack>
      <Checkbox label={t`Only at certain hours`} {...form.getInputProps('has_hours', { type: 'checkbox' })} />
      {hasHours && (
        <>
          <Checkbox.Group label={t`Days`} {...form.getInputProps('days')}>
            <Group gap="sm" mt={6}>
              {dayNames.map((label, index) => (
                <Checkbox key={label} value={String(index + 1)} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
          <Group gap="xs" align="flex-start">
            <TextInput type="time" label={t`From`} {...form.getInputProps('from')} />
            <TextInput type="time" label={t`To`} {...form.getInputProps('to')} />
            <TimeZone form={form} />
          </Group>
          {from !== '' && to !== '' && from >= to && (
            <Text size="sm" c="dimmed">
              {from === to ? t`Active for 24 hours from then.` : t`Ends on the following day.`}
            </Text>
          )}
        </>
      )}
      <NativeSelect
        label={t`Quiet time`}
        description={t`After an alert, further alerts about the same asset, reader or tag are left out for this time.`}
        data={choices.map((seconds) => ({
          value: String(seconds),
          label: seconds === 0 ? t`None: report each time` : durationText(seconds * 1000),
        }))}
        {...form.getInputProps('quiet_seconds')}
      />
    </Stack>
  );
}

function TimeZone({ form }: { form: RuleForm }) {
  const { time_zone: zone } = form.values;
  const zones = useMemo(() => [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])], [zone]);
  return (
    <Select
      label={t`Time zone`}
      searchable
      limit={50}
      allowDeselect={false}
      data={zones}
      nothingFoundMessage={t`No time zone matches`}
      {...form.getInputProps('time_zone')}
    />
  );
}
