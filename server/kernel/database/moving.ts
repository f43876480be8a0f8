import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from './client.js';
import { sqlState } from './faults.js';
import { type ContractError, serviceUnavailable } from '../errors.js';

// docs/decisions/0041-organizations-move-between-cells.md explains how a move stops changes, and why a killed move needs no cleanup.

/** An organization is unavailable for seconds to minutes; its clients and readers find it in the other cell afterwards. */
const retryAfterSeconds = 5;

/** Returns the answer to requests of an organization that is being moved to another cell, or has been. */
export function movingError(): ContractError {
  return serviceUnavailable('The organization is being moved to another server', retryAfterSeconds);
}

/**
 * The organization is being moved to another cell: its readers cannot connect here, and their messages are not stored.
 */
export class OrganizationMovingError extends Error {
  constructor() {
    super('the organization is being moved to another cell');
    this.name = 'OrganizationMovingError';
  }
}

/** Returns the organization whose move made a statement fail (`refuse_while_moving`); undefined for other failures. */
export function movingOrganization(error: unknown): number | undefined {
  if (sqlState(error) !== '55P03') return undefined;
  const [, orgId] = /organization (\d+) is being moved/.exec(String(error)) ?? [];
  return orgId === undefined ? undefined : Number(orgId);
}

/**
 * Returns SQL for whether the organization in a column is being moved to another cell. Takes one lookup by key if it is
 * not.
 */
export function isMoving(column: string): Prisma.Sql {
  return Prisma.raw(`
    coalesce((SELECT o.moving IS NOT NULL AND organization_is_moving(o.id) FROM organizations o WHERE o.id = ${column}), false)`);
}

/** Returns whether an organization is being moved to another cell. */
export async function organizationIsMoving(db: Pick<Database, '$queryRaw'>, orgId: number): Promise<boolean> {
  const [row] = await db.$queryRaw<[{ is_moving: boolean }]>`SELECT organization_is_moving(${orgId}::int) AS is_moving`;
  return row.is_moving;
}
