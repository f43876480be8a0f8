import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '../../people/auth/random-token.js';
import type { Database } from '../../kernel/database/client.js';
import type { ReaderFormat } from './formats.js';
import type { LoginNotes } from './login-notes.js';
import type { ReaderNotes } from './reader-notes.js';
import { findChanges, findLogin, findLogins, type ReaderLoginRow } from './queries.js';
import type { Mapping } from './view.js';

/** A reader for the broker, with the settings that apply to its connections and payloads. */
export type ReaderLogin = {
  readerId: number;
  orgId: number;
  username: string;
  format: ReaderFormat;
  mapping: Mapping | null;
  /** MQTT topics or topic filters of its reads. */
  publishTopics: readonly string[];
  /** Changes with every change of the secret, and reveals nothing of it. */
  credential: string;
};

/** A changed reader: its present settings, or undefined if it was deleted. */
export type ReaderChange = {
  readerId: number;
  username: string;
  login: ReaderLogin | undefined;
};

export type ReaderChanges = { changes: ReaderChange[]; cursor: number };

/** The readers for the broker, and what it notes about them for their administrators. Notes are written later. */
export type ReaderLogins = {
  /**
   * Returns the reader that the MQTT user name and secret belong to, or undefined. Takes the same time for an unknown
   * name. A wrong secret is recorded for the reader's administrators.
   *
   * @throws if the database is unavailable
   */
  authenticate(username: string, secret: Uint8Array): Promise<ReaderLogin | undefined>;
  /**
   * Returns the live readers among the user names, without checking secrets: for an external broker that has
   * authenticated them.
   *
   * @throws if the database is unavailable
   */
  find(usernames: readonly string[]): Promise<ReaderLogin[]>;
  /**
   * Returns the readers that changed since the call that returned the cursor; without one, no readers and a first
   * cursor. A change can be returned more than once.
   */
  changesSince(cursor: number | undefined): Promise<ReaderChanges>;
} & Pick<LoginNotes, 'noteRefusal' | 'noteNotUnderstood' | 'noteConnected'> &
  Pick<ReaderNotes, 'note'>;

/** The maximum age of the recorded connection of a connected reader. */
export const connectionNoteMs = 30_000;

/** The maximum time between the instant that a transaction writes into a row and its commit. */
const commitDelayMaxMs = 15_000;

/** Longer than the names that `newUsername` generates. A longer name needs no query. */
const usernameLengthMax = 64;

const hashOfNobody = hashToken('');

export function createReaderLogins(options: {
  db: Database;
  notes: LoginNotes;
  readerNotes: ReaderNotes;
}): ReaderLogins {
  const { db, notes, readerNotes } = options;
  return {
    async authenticate(username, secret) {
      const row = isPossible(username) ? await findLogin(db, username) : undefined;
      const given = hashToken(Buffer.from(secret).toString('utf8'));
      const matches = timingSafeEqual(Buffer.from(row?.secret_hash ?? hashOfNobody), Buffer.from(given));
      if (row && !matches) notes.noteRefusal(username, 'wrong password');
      if (!row || !matches) return undefined;
      return loginOf(row);
    },
    async find(usernames) {
      const possible = usernames.filter(isPossible);
      return possible.length === 0 ? [] : (await findLogins(db, possible)).map(loginOf);
    },
    async changesSince(cursor) {
      const { nowMs, rows } = await findChanges(db, cursor ?? null);
      const changes = rows.map((row) => ({
        readerId: row.id,
        username: row.mqtt_username,
        login: row.is_deleted ? undefined : loginOf(row),
      }));
      return { changes, cursor: nowMs - commitDelayMaxMs };
    },
    noteRefusal(username, reason) {
      if (isPossible(username)) notes.noteRefusal(username, reason);
    },
    noteNotUnderstood: notes.noteNotUnderstood,
    note: readerNotes.note,
    noteConnected: notes.noteConnected,
  };
}

function isPossible(username: string): boolean {
  return username.length <= usernameLengthMax && /^[\x21-\x7e]+$/.test(username);
}

function loginOf(row: ReaderLoginRow): ReaderLogin {
  return {
    readerId: row.id,
    orgId: row.org_id,
    username: row.mqtt_username,
    format: row.format as ReaderFormat,
    mapping: row.mapping,
    publishTopics: [row.publish_topic, ...row.more_topics],
    credential: hashToken(row.secret_hash),
  };
}
