import type { z } from 'zod';
import { StartError } from '../../kernel/start-error.js';
import { type ArchiveEntry, readWhole } from './archive.js';
import {
  anyManifest,
  archiveFormat,
  headSignatureEntry,
  type Manifest,
  manifest as manifestSchema,
  manifestEntry,
  type Secrets,
  secrets as secretsSchema,
  secretsEntry,
  signature as signatureSchema,
  signatureEntry,
  type Summary,
  summary as summarySchema,
} from './contents.js';
import { isSignedWith } from './signature.js';

/** The data before the rows. */
export type Head = {
  readonly manifest: Manifest;
  readonly secrets: Secrets;
  /** The signature of manifest and secrets; empty in a backup that is not signed. */
  readonly signature: string;
  /** The entry after manifest, secrets and signature. */
  readonly next: ArchiveEntry | undefined;
};

export type HeadOptions = {
  /** The key that the backup has to be signed with; undefined to accept every backup. */
  readonly backupKey: string | undefined;
};

/** Returns the next entry of an archive; undefined at its end. */
export async function nextEntry(entries: AsyncGenerator<ArchiveEntry>): Promise<ArchiveEntry | undefined> {
  const entry = await entries.next();
  return entry.done ? undefined : entry.value;
}

/** Parses the content of an entry, which anybody may have changed. */
function parse<Schema extends z.ZodType>(content: Buffer, schema: Schema, name: string): z.infer<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(content.toString('utf8'));
  } catch (error) {
    throw new StartError(`${name} of the backup is damaged: it is not JSON`, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StartError(
    `${name} of the backup is damaged or was changed (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`,
  );
}

async function readFirst(entries: AsyncGenerator<ArchiveEntry>, name: string): Promise<Buffer> {
  let entry: ArchiveEntry | undefined;
  try {
    entry = await nextEntry(entries);
  } catch (error) {
    throw new StartError('this is no backup of Whereabouts: it is not a gzipped archive', { cause: error });
  }
  if (entry?.name !== name) throw new StartError(`this is no backup of Whereabouts: no ${name}`);
  return await readWhole(entry);
}

function checkSignature(signature: string, parts: readonly Buffer[], backupKey: string): void {
  if (signature === '') {
    throw new StartError(
      'the backup is not signed, and BACKUP_KEY is set. If you know where it comes from, add --unsigned',
    );
  }
  if (!isSignedWith(backupKey, parts, signature)) {
    throw new StartError('the backup was changed, or was signed with another BACKUP_KEY: nothing of it was kept');
  }
}

/**
 * Reads the data before the rows, and checks its signature.
 *
 * @throws StartError if this is not a backup, or it has another format, is damaged, or is not signed with the key
 */
export async function readHead(entries: AsyncGenerator<ArchiveEntry>, { backupKey }: HeadOptions): Promise<Head> {
  const manifestContent = await readFirst(entries, manifestEntry);
  const { format } = parse(manifestContent, anyManifest, manifestEntry);
  if (format !== archiveFormat) {
    throw new StartError(`the backup has format ${format}, and this release reads ${archiveFormat}`);
  }
  const manifest = parse(manifestContent, manifestSchema, manifestEntry);
  const secretsContent = await readFirst(entries, secretsEntry);
  const secrets = parse(secretsContent, secretsSchema, secretsEntry);
  let next = await nextEntry(entries);
  let signature = '';
  if (next?.name === headSignatureEntry) {
    signature = parse(await readWhole(next), signatureSchema, headSignatureEntry).hmac_sha256;
    next = await nextEntry(entries);
  }
  if (backupKey !== undefined) checkSignature(signature, [manifestContent, secretsContent], backupKey);
  return { manifest, secrets, signature, next };
}

/**
 * Reads the summary, and checks its signature, which is in the next entry and also covers the signature of the head.
 *
 * @throws StartError if it is damaged, or not signed with the key
 */
export async function readSummary(
  entry: ArchiveEntry,
  entries: AsyncGenerator<ArchiveEntry>,
  { backupKey, headSignature }: HeadOptions & { readonly headSignature: string },
): Promise<Summary> {
  const content = await readWhole(entry);
  const summary = parse(content, summarySchema, entry.name);
  if (backupKey === undefined) return summary;
  const last = await nextEntry(entries);
  const signature =
    last?.name === signatureEntry ? parse(await readWhole(last), signatureSchema, last.name).hmac_sha256 : '';
  checkSignature(signature, [Buffer.from(headSignature), content], backupKey);
  return summary;
}
