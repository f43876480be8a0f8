import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Settings } from '../../kernel/settings.js';
import { StartError } from '../../kernel/start-error.js';
import type { Cells } from '../moves/cells.js';
import { cancelMove, removeMovedOrganization } from '../moves/end-move.js';
import { moveOrganization, type MoveReport } from '../moves/move-organization.js';
import { readOrganizationId } from './admin-database.js';

type CommandOptions = {
  readonly settings: Settings;
  readonly report: (line: string) => void;
};

/** @throws StartError if a setting is missing */
function ends(organizationId: string, { settings }: CommandOptions): Cells {
  const { databaseUrl, targetDatabaseUrl, externalBroker } = settings;
  const orgId = readOrganizationId(organizationId);
  if (databaseUrl === undefined) throw new StartError('DATABASE_URL is missing: the database of the present cell');
  if (targetDatabaseUrl === undefined) {
    throw new StartError('TARGET_DATABASE_URL is missing: the database of the other cell');
  }
  if (externalBroker) {
    throw new StartError('MQTT_URL is set: what an external broker has acknowledged cannot be moved to another cell');
  }
  return { orgId, sourceUrl: databaseUrl, targetUrl: targetDatabaseUrl };
}

/**
 * Moves an organization to another cell, and then runs a shell command that directs its clients there.
 *
 * @returns undefined if an earlier run had completed the move
 * @throws StartError if the organization cannot be moved
 */
export async function moveByOperator(
  { organizationId, after }: { organizationId: string; after: string | undefined },
  options: CommandOptions,
): Promise<MoveReport | undefined> {
  const direct = async () => {
    if (after !== undefined) await runShell(after);
  };
  return moveOrganization({ ...ends(organizationId, options), report: options.report, direct });
}

/** @throws StartError if the organization is active in the target */
export async function cancelMoveByOperator(organizationId: string, options: CommandOptions): Promise<void> {
  await cancelMove(ends(organizationId, options));
}

/** @throws StartError if the organization has not moved */
export async function removeMovedByOperator(organizationId: string, options: CommandOptions): Promise<void> {
  await removeMovedOrganization(ends(organizationId, options));
}

async function runShell(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    throw new StartError(`the organization is active in the target, but this command failed, run it again: ${command}`);
  }
}
