import { type FieldError, fieldError, validationError } from '../../kernel/errors.js';
import type { Queries } from '../../kernel/database/client.js';

/** A parent in a request body: by id, by key, by both, or null for the root. */
export type ParentReference = { parent_id?: number | null; parent_external_key?: string | null };

/** Returns whether a request body sets the parent. */
export function namesParent(reference: ParentReference): boolean {
  return reference.parent_id !== undefined || reference.parent_external_key !== undefined;
}

/**
 * Returns the id of the live location of a reference, null for the root. Throws 400 `fk_not_found` for each form
 * without a live row. If both forms have a live row but differ, throws `ambiguous_fields` on both (contract 5.9).
 */
export async function resolveParent(tx: Queries, orgId: number, reference: ParentReference): Promise<number | null> {
  const { parent_id: id, parent_external_key: key } = reference;
  const found = await liveParents(tx, orgId, { id: id ?? null, key: key ?? null });
  const missing: FieldError[] = [];
  if (typeof id === 'number' && !found.byId) missing.push(fieldError('parent_id', 'not_found', { value: id }));
  if (typeof key === 'string' && found.byKey === null)
    missing.push(fieldError('parent_external_key', 'not_found', { value: `"${key}"` }));
  if (missing.length > 0) throw validationError(missing);
  if (id === undefined) return found.byKey;
  if (key === undefined || found.byKey === id) return id;
  throw validationError(disagreement(id === null || key === null));
}

function disagreement(oneIsNull: boolean): FieldError[] {
  const message = oneIsNull
    ? 'parent_id and parent_external_key disagree: one is null; supply one, or values that agree'
    : 'parent_id and parent_external_key both supplied and disagree; supply one, or values that agree';
  return ['parent_id', 'parent_external_key'].map((field) => ({ field, code: 'ambiguous_fields', message }));
}

async function liveParents(
  tx: Queries,
  orgId: number,
  { id, key }: { id: number | null; key: string | null },
): Promise<{ byId: boolean; byKey: number | null }> {
  if (id === null && key === null) return { byId: false, byKey: null };
  const rows = await tx.$queryRaw<{ id: number; external_key: string }[]>`
    SELECT id, external_key FROM locations
     WHERE org_id = ${orgId} AND deleted_at IS NULL AND id = ${id}::int
    UNION
    SELECT id, external_key FROM locations
     WHERE org_id = ${orgId} AND deleted_at IS NULL AND external_key = ${key}`;
  return {
    byId: rows.some((row) => row.id === id),
    byKey: rows.find((row) => row.external_key === key)?.id ?? null,
  };
}
