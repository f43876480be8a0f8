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

const texts = {
  title: t`Language and formats`,
  description: t`The language of the app, and how dates, times and numbers appear to you, on all your devices.`,
  language: t`Language`,
  browserLanguage: t`Same as this browser`,
  timeZone: t`Time zone`,
  locale: t`Language of formats`,
  hourCycle: t`Time format`,
  device: t`Same as this device`,
  h12: t`12-hour (2:30 PM)`,
  h23: t`24-hour (14:30)`,
  noZone: t`No matching time zone`,
  example: t`Example:`,
  save: t`Save language and formats`,
  saved: t`Language and formats saved`,
};

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
    <Section title={texts.title} description={texts.description}>
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
    notifications.show({ message: texts.saved });
  }

  return (
    <ServerForm form={form} submit={texts.save} isDisabled={!form.isDirty()}>
      <NativeSelect
        label={texts.language}
        data={[
          { value: '', label: texts.browserLanguage },
          ...Object.entries(languageNames).map(([value, label]) => ({ value, label })),
        ]}
        {...form.getInputProps('language')}
      />
      <Select
        label={texts.timeZone}
        searchable
        limit={50}
        clearable
        placeholder={texts.device}
        data={[...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]}
        nothingFoundMessage={texts.noZone}
        value={form.values.time_zone === '' ? null : form.values.time_zone}
        error={form.errors['time_zone']}
        onChange={(zone) => form.setFieldValue('time_zone', zone ?? '')}
      />
      <NativeSelect
        label={texts.locale}
        data={[{ value: '', label: texts.device }, ...locales.map((tag) => ({ value: tag, label: localeName(tag) }))]}
        {...form.getInputProps('locale')}
      />
      <NativeSelect
        label={texts.hourCycle}
        data={[
          { value: '', label: texts.device },
          { value: 'h12', label: texts.h12 },
          { value: 'h23', label: texts.h23 },
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
      {texts.example} {format.format(now)}; {new Intl.NumberFormat(locale ?? undefined).format(12_345.6)}
    </Text>
  );
}
