import { Prisma } from '../../../generated/prisma/client.js';
import { metadataText } from '../validation/resource-fields.js';
import { instant, nextInstant } from './columns.js';

/** The changes of a PATCH, a rename or a move of an asset or a location; a missing key leaves its column unchanged. */
export type ResourceChanges = {
  external_key?: string;
  name?: string;
  description?: string | null;
  is_active?: boolean;
  metadata?: Record<string, unknown>;
  parent_id?: number | null;
  valid_from?: number;
  valid_to?: number | null;
};

const columns: { [Key in keyof Required<ResourceChanges>]: (value: never) => Prisma.Sql } = {
  external_key: (value: string) => Prisma.sql`external_key = ${value}`,
  name: (value: string) => Prisma.sql`name = ${value}`,
  description: (value: string | null) => Prisma.sql`description = ${value}`,
  is_active: (value: boolean) => Prisma.sql`is_active = ${value}`,
  metadata: (value: Record<string, unknown>) => Prisma.sql`metadata = ${metadataText(value)}::json`,
  parent_id: (value: number | null) => Prisma.sql`parent_id = ${value}::int`,
  valid_from: (value: number) => Prisma.sql`valid_from = ${instant(value)}`,
  valid_to: (value: number | null) => Prisma.sql`valid_to = ${instant(value)}`,
};

/** Returns the `SET` list of an accepted change: the given columns, and an advanced `updated_at` (contract 5.7). */
export function assignments(alias: string, changes: ResourceChanges): Prisma.Sql {
  const sets = [Prisma.sql`updated_at = ${nextInstant(`${alias}.updated_at`)}`];
  for (const [key, assign] of Object.entries(columns) as [keyof ResourceChanges, (value: unknown) => Prisma.Sql][]) {
    if (changes[key] !== undefined) sets.push(assign(changes[key]));
  }
  return Prisma.join(sets, ', ');
}

/** Returns the changes without the keys whose value is undefined. */
export function definedOnly(
  changes: {
    [Key in keyof ResourceChanges]: ResourceChanges[Key] | undefined;
  },
): ResourceChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
