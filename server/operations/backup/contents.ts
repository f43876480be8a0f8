import { z } from 'zod';

/** Incremented when the archive changes so that older code cannot read it. */
export const archiveFormat = 1;

/** PostgreSQL's limit for names. */
const nameField = z.string().min(1).max(63);
const digestField = z.string().regex(/^[\da-f]{64}$/);

const backupTable = z.strictObject({ schema: nameField, name: nameField, columns: z.array(nameField).min(1) });

/** A table whose rows are backed up, with the columns that hold its data, without generated columns. */
export type BackupTable = Readonly<z.infer<typeof backupTable>>;

const backupPartition = z.strictObject({
  schema: nameField,
  name: nameField,
  parent: nameField,
  /** As PostgreSQL prints it. It becomes a part of a statement, so only instants are accepted. */
  bound: z.string().regex(/^(?:DEFAULT|FOR VALUES FROM \('[\d :.+-]{10,40}'\) TO \('[\d :.+-]{10,40}'\))$/),
});

/** A partition, with what `CREATE TABLE … PARTITION OF` needs. */
export type BackupPartition = Readonly<z.infer<typeof backupPartition>>;

const migrationState = z.strictObject({ name: z.string().min(1).max(255), checksum: digestField });

export type MigrationState = Readonly<z.infer<typeof migrationState>>;

const sequenceState = z.strictObject({
  schema: nameField,
  name: nameField,
  value: z.string().regex(/^-?\d{1,19}$/),
  isCalled: z.boolean(),
});

export type SequenceState = Readonly<z.infer<typeof sequenceState>>;

/** A manifest of any format. */
export const anyManifest = z.looseObject({ format: z.int() });

/** The first entry: the data that a restore needs before the rows. */
export const manifest = z.strictObject({
  format: z.literal(archiveFormat),
  /** RFC 3339. */
  created_at: z.string().max(40),
  postgresql: z.string().max(200),
  migrations: z.array(migrationState),
  /** In the order of their rows: each table comes after the tables that its foreign keys refer to. */
  tables: z.array(backupTable).min(1),
  partitions: z.array(backupPartition),
});

export type Manifest = Readonly<z.infer<typeof manifest>>;

/** The second entry. It makes the archive as secret as the service itself. */
export const secrets = z.strictObject({ auth_secret: z.string().regex(/^[^\p{Cc}]{1,4096}$/u) });

export type Secrets = Readonly<z.infer<typeof secrets>>;

const tableDigest = z.strictObject({
  table: z.string().min(1).max(130),
  rows: z.int(),
  bytes: z.int(),
  sha256: digestField,
});

/** Rows and bytes of one table, and the SHA-256 of the bytes. */
export type TableDigest = Readonly<z.infer<typeof tableDigest>>;

/** The entry after the rows. An archive without it is truncated. */
export const summary = z.strictObject({ tables: z.array(tableDigest), sequences: z.array(sequenceState) });

export type Summary = Readonly<z.infer<typeof summary>>;

/** The entries after the secrets and after the summary in an archive that is signed. */
export const signature = z.strictObject({ hmac_sha256: digestField });

export const manifestEntry = 'manifest.json';
export const secretsEntry = 'secrets.json';
export const headSignatureEntry = 'head-signature.json';
export const summaryEntry = 'summary.json';
export const signatureEntry = 'signature.json';

const rowsEntryPattern = /^tables\/(.+)\/\d+\.copy$/;

export const rowsEntry = (table: string, part: number) => `tables/${table}/${String(part).padStart(6, '0')}.copy`;

/** Returns the table whose rows an entry holds; undefined for entries of another kind. */
export function tableOfEntry(entry: string): string | undefined {
  return rowsEntryPattern.exec(entry)?.[1];
}
