/** Commands of an operator: `npm run admin -- <command>`, or `node dist/admin.js <command>` in the image. */
import { parseArgs } from 'node:util';
import { requireNamedDatabase } from './server/operations/admin/admin-database.js';
import { backUp, backupName, restore, standardStream } from './server/operations/admin/backup-command.js';
import { readCommandSettings } from './server/operations/admin/command-settings.js';
import { pauseOutbound, releaseOutbound } from './server/operations/admin/outbound-commands.js';
import { createResetLink } from './server/operations/admin/reset-password-command.js';
import {
  confirmByOperator,
  disconnectByOperator,
  verifyDomainByOperator,
} from './server/operations/admin/sign-on-commands.js';
import { upgradeDatabase } from './server/operations/admin/upgrade-database-command.js';
import type { TableDigest } from './server/operations/backup/contents.js';
import { createLog } from './server/kernel/log.js';
import { dataLocation, SettingsError } from './server/kernel/settings.js';
import { StartError } from './server/kernel/start-error.js';

const usage = `npm run admin -- <command>
  backup [file]            writes all data and the secret into a file; - is standard output. The service may run
  restore <file>           loads a backup into an empty database; - is standard input. Stop the service first
    --other-secret         although AUTH_SECRET is not the backup's: sessions and API keys become invalid
    --unsigned             although BACKUP_KEY is set and the backup is not signed
  release-outbound         releases mail, webhooks and the external broker, which are paused after a restore
  pause-outbound           pauses them, from the next start on: for a copy that was not made by restore
  reset-password <email>   prints a link with which this person chooses another password
  confirm-address <email>  records that the address of an account belongs to the person who uses it
  verify-domain <domain> <organization id>
                           verifies an email domain that an administrator has added, where DNS records cannot be read
  disconnect-sign-on <email>
                           disconnects a person's account from single sign-on
  upgrade-database <folder>
                           moves the embedded database to the PostgreSQL of this release; the folder has the programs of the
                           old one. npm run upgrade-database downloads them. Stop the service first
The commands read the settings of the service, and print which database they act on: from the environment, which has precedence;
from the unit whereabouts.service where systemd runs the service from this folder; and from .env.
    --env-file <file>      the file with the settings of the service, instead of the unit`;

class UsageError extends Error {}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}

function summary(digests: readonly TableDigest[]): string {
  const rows = digests.reduce((sum, digest) => sum + digest.rows, 0);
  return `${rows} rows of ${digests.length} tables`;
}

/** Returns a signal that is aborted when the process is asked to end. A second request ends the process at once. */
function onSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => controller.abort(new StartError(`stopped by ${signal}: nothing was kept`)));
  }
  return controller.signal;
}

async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'other-secret': { type: 'boolean', default: false },
      unsigned: { type: 'boolean', default: false },
      'env-file': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [command, argument, ...rest] = positionals;
  const [organizationId] = command === 'verify-domain' ? rest.splice(0, 1) : [];
  if (values.help || command === undefined) {
    print(usage);
    return;
  }
  if (rest.length > 0) throw new UsageError(`unexpected: ${rest.join(' ')}`);
  const { settings, from } = readCommandSettings(values['env-file']);
  print(`Database: ${dataLocation(settings)}${from.length > 0 ? ` (settings of ${from.join(', ')})` : ''}`);
  // Standard output may receive the backup.
  const log = createLog('silent');
  if (command === 'backup') {
    const file = argument ?? backupName(new Date());
    const digests = await backUp(file, { settings, log, output: process.stdout, signal: onSignals() });
    print(`Backed up ${summary(digests)}${file === standardStream ? '' : ` into ${file}`}`);
    print('The backup contains all data and the secret that signs sessions and keys: keep it as safe as the server.');
    print(
      settings.backupKey === undefined
        ? 'The backup is not signed: set BACKUP_KEY, and a restore recognizes a backup that somebody has changed.'
        : 'The backup is signed with BACKUP_KEY.',
    );
  } else if (command === 'restore') {
    if (argument === undefined) throw new UsageError('restore needs a file');
    requireNamedDatabase(settings);
    const { 'other-secret': acceptsOtherSecret, unsigned: acceptsUnsigned } = values;
    const accepts = { acceptsOtherSecret, acceptsUnsigned, pausesOutbound: true };
    const digests = await restore(argument, { settings, log, input: process.stdin, signal: onSignals(), ...accepts });
    print(`Restored ${summary(digests)}`);
    print('Mail, webhooks and the external broker are paused: npm run admin -- release-outbound releases them.');
    if (settings.backupKey === undefined || acceptsUnsigned) {
      print('The signature of the backup was not checked: make sure that nobody has changed it.');
    }
  } else if (command === 'release-outbound') {
    print((await releaseOutbound({ settings, log })) ? 'Released, within seconds.' : 'Nothing is paused.');
  } else if (command === 'pause-outbound') {
    print((await pauseOutbound({ settings, log })) ? 'Paused from the next start on.' : 'It is paused already.');
  } else if (command === 'reset-password') {
    if (argument === undefined) throw new UsageError('reset-password needs an email address');
    const { url, minutes, isProven } = await createResetLink(argument, { settings, log });
    process.stdout.write(`${url}\n`);
    print(`The link works once, within ${minutes} minutes.`);
    if (!isProven) {
      print(
        'The address of this account is not proven: the link also removes its single sign-on, sessions and API keys.',
      );
      print('If the account has always been used by its owner, run confirm-address first.');
    }
  } else if (command === 'confirm-address') {
    if (argument === undefined) throw new UsageError('confirm-address needs an email address');
    const isFirst = await confirmByOperator(argument, { settings, log });
    print(isFirst ? 'The address is confirmed.' : 'The address was proven before.');
  } else if (command === 'verify-domain') {
    if (argument === undefined || organizationId === undefined) {
      throw new UsageError('verify-domain needs a domain and the ID of an organization');
    }
    await verifyDomainByOperator({ domain: argument, organizationId }, { settings, log });
    print(`${argument} is verified.`);
  } else if (command === 'disconnect-sign-on') {
    if (argument === undefined) throw new UsageError('disconnect-sign-on needs an email address');
    const count = await disconnectByOperator(argument, { settings, log });
    print(count === 0 ? 'This account is not connected to single sign-on.' : 'The account is disconnected.');
  } else if (command === 'upgrade-database') {
    if (argument === undefined) throw new UsageError('upgrade-database needs the folder of the old programs');
    const upgrade = await upgradeDatabase({ settings, log, binariesFolder: argument });
    print(upgrade ? `Upgraded PostgreSQL ${upgrade.from} to ${upgrade.to}: ${summary(upgrade.digests)}` : 'Up to date');
    if (upgrade) print(`Delete ${upgrade.oldFiles} and ${upgrade.backupFile} once the service runs well.`);
  } else throw new UsageError(`unknown command: ${command}`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = 1;
  if (error instanceof SettingsError) for (const line of error.lines) print(line);
  else if (error instanceof UsageError || error instanceof TypeError) print(`${error.message}\n${usage}`);
  else if (error instanceof StartError) print(error.message);
  else print(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
