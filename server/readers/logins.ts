import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '../auth/random-token.js';
import type { Database } from '../database/client.js';
import type { ReaderFormat } from './formats.js';
import type { LoginNotes } from './login-notes.js';
import { findChanges, findLogin, findLogins, type ReaderLoginRow } from './queries.js';
import type { Mapping } from './view.js';

/** A reader as the broker knows it, with the settings that decide what becomes of its connections and payloads. */
export type ReaderLogin = {
  readerId: number;
  orgId: number;
  username: string;
  format: ReaderFormat;
  mapping: Mapping | null;
  /** A topic or filter of MQTT. */
  publishTopic: string;
  /** Another one after every change of the secret; says nothing of it. */
  credential: string;
};

/** What has become of a reader: its settings of now, or undefined for one that is deleted. */
export type ReaderChange = { readerId: number; username: string; login: ReaderLogin | undefined };

export type ReaderChanges = { changes: ReaderChange[]; cursor: number };

export type ReaderLogins = {
  /**
   * The reader whom the MQTT user name and secret belong to, or undefined. Takes as long for an unknown name. A wrong secret
   * is noted with the reader.
   *
   * @throws where the database cannot be asked
   */
  authenticate(username: string, secret: Uint8Array): Promise<ReaderLogin | undefined>;
  /**
   * Returns the live readers among the user names, without checking secrets: for an external broker that has
   * authenticated them.
   *
   * @throws where the database cannot be asked
   */
  find(usernames: readonly string[]): Promise<ReaderLogin[]>;
  /**
   * Readers that changed since the call that returned the cursor; without one, none, and a cursor to begin with. A change
   * can be told more than once.
   */
  changesSince(cursor: number | undefined): Promise<ReaderChanges>;
  /**
   * Tells the administrators of whichever reader has the user name that a device was not let in under it, and why. An
   * unknown name is nobody's. Takes no time: it is written later, and not more often than every 10 s.
   */
  noteRefusal(username: string, reason: string): void;
  /**
   * A reader's message was not understood by its format. Of a few in 10 s it is asked whether another format does, and
   * administrators are told.
   */
  noteNotUnderstood(readerId: number, recognize: () => ReaderFormat | undefined): void;
  /** Tells administrators that these readers are connected now; to be said again at least every `connectionNoteMs`. */
  noteConnected(readerIds: Iterable<number>): void;
};

/** How old what is known of a connected reader's connection may get. */
export const connectionNoteMs = 30_000;

/** A transaction that changed a reader can commit this much later than the instant it wrote. */
const commitDelayMaxMs = 15_000;

/** Names are made by `newUsername`; whatever is longer needs no look into the database. */
const usernameLengthMax = 64;

const hashOfNobody = hashToken('');

export function createReaderLogins({ db, notes }: { db: Database; notes: LoginNotes }): ReaderLogins {
  return {
    async authenticate(username, secret) {
      const row = isPossible(username) ? await findLogin(db, username) : undefined;
      const given = hashToken(Buffer.from(secret).toString('utf8'));
      const matches = timingSafeEqual(Buffer.from(row?.secret_hash ?? hashOfNobody), Buffer.from(given));
      if (row && !matches) notes.refused(username, 'wrong password');
      return row && matches ? loginOf(row) : undefined;
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
      if (isPossible(username)) notes.refused(username, reason);
    },
    noteNotUnderstood: notes.notUnderstood,
    noteConnected: notes.connected,
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
    publishTopic: row.publish_topic,
    credential: hashToken(row.secret_hash),
  };
}
