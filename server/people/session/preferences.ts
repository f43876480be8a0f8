import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { isTimeZone } from '../../kernel/time-zone.js';
import { fail, field } from '../../kernel/validation/failure.js';
import { stringReader } from '../../kernel/validation/fields.js';
import { sessionProcedure } from '../../trpc.js';
import { findPreferences, type Preferences, storeDevice, storePreferences } from './preference-queries.js';

const hourCycles = ['h12', 'h23'] as const;
const languages = ['en', 'de'] as const;
const textMax = 64;

/** Returns a field for a text that a check accepts, or null for the setting of the user's device. */
function optionalField<Choice extends string>(isValid: (text: string) => boolean, failure: ReturnType<typeof fail>) {
  const read = stringReader('value', (text) => (text.length <= textMax && isValid(text) ? (text as Choice) : failure));
  return field<Choice | null>(read, { type: 'string', nullable: true });
}

const languageField = optionalField<(typeof languages)[number]>(
  (text) => languages.some((language) => language === text),
  fail('not_one_of', { allowed: languages }),
);

const input = z.strictObject({
  time_zone: optionalField<string>(isTimeZone, fail('not_time_zone')),
  locale: optionalField<string>(isLocale, fail('not_language_tag')),
  hour_cycle: optionalField<(typeof hourCycles)[number]>(
    (text) => hourCycles.some((cycle) => cycle === text),
    fail('not_one_of', { allowed: hourCycles }),
  ),
  language: languageField,
});

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** The person's language, and how they want dates, times and numbers written, in all their organizations. */
export const getPreferences = sessionProcedure('viewer').query(async ({ ctx }): Promise<Preferences> => {
  const preferences = await findPreferences(ctx.services.db, ctx.actor.userId);
  if (!preferences) throw refusal('token_invalid');
  return preferences;
});

/**
 * Stores the person's language, and how they want dates, times and numbers written; null stands for the setting of
 * their device.
 */
export const updatePreferences = sessionProcedure('viewer')
  .input(input)
  .mutation(async ({ ctx, input: preferences }): Promise<Preferences> => {
    const stored = await storePreferences(ctx.services.db, ctx.actor.userId, preferences);
    if (!stored) throw refusal('token_invalid');
    return stored;
  });

const device = z.strictObject({
  time_zone: optionalField<string>(isTimeZone, fail('not_time_zone')),
  language: languageField,
});

/** Stores the time zone and the language of the person's device, in which emails are written if the person has chosen none. */
export const noteDevice = sessionProcedure('viewer')
  .input(device)
  .mutation(({ ctx, input }): Promise<void> => storeDevice(ctx.services.db, ctx.actor.userId, input));
