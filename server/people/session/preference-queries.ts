import type { Queries } from '../../kernel/database/client.js';

/** A person's language and formats; null stands for the setting of their device. */
export type Preferences = {
  /** IANA time zone. */
  time_zone: string | null;
  /** BCP 47 language tag of the formats of dates and numbers. */
  locale: string | null;
  hour_cycle: 'h12' | 'h23' | null;
  /** The language of the app. */
  language: 'en' | 'de' | null;
};

export async function findPreferences(db: Queries, userId: number): Promise<Preferences | undefined> {
  const rows = await db.$queryRaw<Preferences[]>`
    SELECT time_zone, locale, hour_cycle, language FROM users WHERE id = ${userId}::int`;
  return rows[0];
}

export async function storePreferences(
  db: Queries,
  userId: number,
  { time_zone, locale, hour_cycle, language }: Preferences,
): Promise<Preferences | undefined> {
  const rows = await db.$queryRaw<Preferences[]>`
    UPDATE users
       SET time_zone = ${time_zone}, locale = ${locale}, hour_cycle = ${hour_cycle}, language = ${language}
     WHERE id = ${userId}::int
    RETURNING time_zone, locale, hour_cycle, language`;
  return rows[0];
}

export async function storeDevice(
  db: Queries,
  userId: number,
  { time_zone, language }: Pick<Preferences, 'time_zone' | 'language'>,
): Promise<void> {
  await db.$executeRaw`
    UPDATE users SET device_time_zone = ${time_zone}, device_language = ${language} WHERE id = ${userId}::int`;
}
