import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries } from '../../kernel/database/client.js';
import type { Preferences } from '../session/preference-queries.js';
import { germanWords } from './german.js';
import { type MailWords, withoutLinks } from './layout.js';

/**
 * The language and the formats of a mail, as the recipient has chosen them. Null is English and UTC, if no device of the
 * person has shown the app yet.
 */
export type MailPerson = Preferences;

/** Returns the columns of a `MailPerson`, from an alias of `users`; where nothing was chosen, as the person's device has it. */
export function mailPerson(alias: 'u'): Prisma.Sql {
  return Prisma.raw(`coalesce(${alias}.time_zone, ${alias}.device_time_zone) AS time_zone, ${alias}.locale, ${alias}.hour_cycle,
    coalesce(${alias}.language, ${alias}.device_language) AS language`);
}

export const nobodyInParticular: MailPerson = { time_zone: null, locale: null, hour_cycle: null, language: null };

/** Returns in what language and formats to write to a person. */
export async function findMailPerson(db: Queries, userId: number): Promise<MailPerson> {
  const rows = await db.$queryRaw<MailPerson[]>`SELECT ${mailPerson('u')} FROM users u WHERE u.id = ${userId}::int`;
  return rows[0] ?? nobodyInParticular;
}

/** Returns in what language and formats to write to the owner of an address; undefined if that owner's language is not known. */
export async function findMailPersonOf(db: Queries, email: string): Promise<MailPerson | undefined> {
  const rows = await db.$queryRaw<MailPerson[]>`
    SELECT ${mailPerson('u')} FROM users u
     WHERE u.email = ${email} AND coalesce(u.language, u.device_language) IS NOT NULL`;
  return rows[0];
}

/** A template tag for words of a mail. */
export type Write = (parts: TemplateStringsArray, ...values: readonly (string | number)[]) => MailWords;

/**
 * Returns the template tag of all words of a mail in a person's language. The inserted values can be names that users
 * chose, so they are changed such that mail programs do not turn them into links.
 */
export function wordsFor({ language }: Pick<MailPerson, 'language'>): Write {
  return (parts, ...values) => {
    const english = parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`);
    const text = language === 'de' ? (germanWords[english] ?? english) : english;
    return text.replaceAll(/\{(\d+)\}/g, (_, index: string) =>
      withoutLinks(String(values[Number(index)])),
    ) as MailWords;
  };
}

/** Returns an instant, in epoch milliseconds, in a person's zone and format, with the zone. */
export function instantFor(person: MailPerson, ms: number): string {
  const { time_zone: zone, locale, language, hour_cycle: hourCycle } = person;
  const format = new Intl.DateTimeFormat(locale ?? language ?? 'en', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: zone ?? 'UTC',
    ...(hourCycle !== null && { hourCycle }),
  });
  return format.format(ms).replaceAll(/\s/g, ' ');
}
