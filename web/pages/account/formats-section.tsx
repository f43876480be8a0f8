import { t } from '@lingui/core/macro';
import { NativeSelect, Select, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { type Language, languageNames } from '../../i18n/language.js';
import type { FormatPreferences } from '../../ui/formats.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ProblemState } from '../../ui/problem-state.js';
import { ServerForm } from '../../ui/server-form.js';
import { useNow } from '../../ui/times.js';
import { Section } from '../../ui/section.js';
import { useServerForm } from '../../ui/use-server-form.js';

const asOnDevice = t`Same as this device`;

const locales = [
  'en-US',
  'en-GB',
  'de-DE',
  'fr-FR',
  'es-ES',
  'it-IT',
  'pt-BR',
  'pt-PT',
  'nl-NL',
  'pl-PL',
  'cs-CZ',
  'sv-SE',
  'da-DK',
  'nb-NO',
  'fi-FI',
  'tr-TR',
  'ja-JP',
  'ko-KR',
  'zh-CN',
];

/** The language, time zone and formats of the signed-in person. */
export function FormatsSection() {
  const trpc = useTRPC();
  const preferences = useQuery(trpc.session.preferences.queryOptions(undefined, { staleTime: Infinity }));
  return (
    <Section
      title={t`Language and formats`}
      description={t`The language of the app, and how dates, times and numbers appear to you, on all your devices.`}
    >
      {preferences.data ? (
        <FormatsForm key={JSON.stringify(preferences.data)} preferences={preferences.data} />
      ) : preferences.error ? (
        <ProblemState error={preferences.error} onRetry={() => void preferences.refetch()} />
      ) : (
        // Same height as the form, so that the buttons below do not move while somebody clicks on them.
        <Skeleton inert>
          <FormatsForm preferences={devicePreferences} />
        </Skeleton>
      )}
    </Section>
  );
}

/** The stored preferences of a person: null for the device's setting. */
type Preferences = FormatPreferences & { language: Language | null };

const devicePreferences: Preferences = { time_zone: null, locale: null, hour_cycle: null, language: null };

type Values = { time_zone: string; locale: string; hour_cycle: '' | 'h12' | 'h23'; language: '' | Language };

function FormatsForm({ preferences }: { preferences: Preferences }) {
  const { trpc, api, answers: queries } = useServer();
  const form = useServerForm<Values>({
    initialValues: {
      time_zone: preferences.time_zone ?? '',
      locale: preferences.locale ?? '',
      hour_cycle: preferences.hour_cycle ?? '',
      language: preferences.language ?? '',
    },
    send: save,
  });
  const { question, release } = useLeaveGuard(form.isDirty());

  async function save(values: Values): Promise<void> {
    const stored = await api.session.updatePreferences.mutate(preferencesOf(values));
    form.resetDirty();
    release();
    queries.setQueryData(trpc.session.preferences.queryKey(), stored);
    notifications.show({ message: t`Language and formats saved` });
  }

  return (
    <ServerForm form={form} submit={t`Save language and formats`} isDisabled={!form.isDirty()}>
      <NativeSelect
        label={t`Language`}
        data={[
          { value: '', label: t`Same as this browser` },
          ...Object.entries(languageNames).map(([value, label]) => ({ value, label })),
        ]}
        {...form.getInputProps('language')}
      />
      <Select
        label={t`Time zone`}
        searchable
        limit={50}
        clearable
        placeholder={asOnDevice}
        data={[...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]}
        nothingFoundMessage={t`No matching time zone`}
        value={form.values.time_zone === '' ? null : form.values.time_zone}
        error={form.errors['time_zone']}
        onChange={(zone) => form.setFieldValue('time_zone', zone ?? '')}
      />
      <NativeSelect
        label={t`Language of formats`}
        data={[{ value: '', label: asOnDevice }, ...locales.map((tag) => ({ value: tag, label: localeName(tag) }))]}
        {...form.getInputProps('locale')}
      />
      <NativeSelect
        label={t`Time format`}
        data={[
          { value: '', label: asOnDevice },
          { value: 'h12', label: t`12-hour (2:30 PM)` },
          { value: 'h23', label: t`24-hour (14:30)` },
        ]}
        {...form.getInputProps('hour_cycle')}
      />
      <Example preferences={preferencesOf(form.values)} />
      {question}
    </ServerForm>
  );
}

function preferencesOf({ time_zone, locale, hour_cycle, language }: Values): Preferences {
  return {
    time_zone: time_zone === '' ? null : time_zone,
    locale: locale === '' ? null : locale,
    hour_cycle: hour_cycle === '' ? null : hour_cycle,
    language: language === '' ? null : language,
  };
}

function localeName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return `${name.charAt(0).toLocaleUpperCase(tag)}${name.slice(1)}`;
}

function Example({ preferences: { time_zone, locale, hour_cycle } }: { preferences: FormatPreferences }) {
  const now = useNow();
  const format = new Intl.DateTimeFormat(locale ?? undefined, {
    dateStyle: 'full',
    timeStyle: 'long',
    ...(time_zone !== null && { timeZone: time_zone }),
    ...(hour_cycle !== null && { hourCycle: hour_cycle }),
  });
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {t`Example:`} {format.format(now)}; {new Intl.NumberFormat(locale ?? undefined).format(12_345.6)}
    </Text>
  );
}
