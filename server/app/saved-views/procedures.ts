import { roleIncludes } from '../../people/auth/scopes.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { breaksUnique } from '../../kernel/database/faults.js';
import { transactionUnderLock } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import type { ScopedActor } from '../../people/auth/authorize.js';
import { sessionProcedure } from '../../trpc.js';
import { countViews, findViews, insertView, lockView, restoreRow, retireView, type ViewScope } from './queries.js';
import { createViewInput, ownViewsMax, type SavedView, sharedViewsMax, viewIdInput } from './schemas.js';

type SessionActor = Extract<ScopedActor, { kind: 'session' }>;

/** Lists the views of the list of assets that the user can see: their own and the shared views, by name. */
export const listViews = sessionProcedure('viewer').query(
  async ({ ctx }): Promise<{ data: SavedView[] }> => ({
    data: await findViews(ctx.services.db, ctx.orgId, { userId: ctx.actor.userId }),
  }),
);

/**
 * Saves a view for the user or, by managers, for the organization. 409 if the name is taken, or the maximum is reached.
 */
export const createView = sessionProcedure('viewer')
  .input(createViewInput)
  .mutation(async ({ ctx, input }): Promise<SavedView> => {
    const { orgId, actor } = ctx;
    ensureMayChange(actor, input.is_shared);
    const scope = scopeOf(ctx, input);
    return transactionUnderLock(ctx.services.db, { lock: 'savedViews', orgId }, async (tx) => {
      await ensureRoom(tx, scope);
      return (await insertView(tx, scope, input)) ?? nameIsTaken();
    });
  });

/** Deletes a view, which can be restored for 30 days. Only managers can delete shared views. */
export const removeView = sessionProcedure('viewer')
  .input(viewIdInput)
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await ctx.services.db.$transaction(async (tx) => {
      const view = await requireView(tx, ctx, { id });
      await retireView(tx, scopeOf(ctx, view), id);
    });
  });

/**
 * Restores a view that was deleted in the last 30 days, under its id, with its scheduled emails. 409 if the name is taken, or the
 * maximum is reached.
 */
export const restoreView = sessionProcedure('viewer')
  .input(viewIdInput)
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    const { orgId } = ctx;
    try {
      await transactionUnderLock(ctx.services.db, { lock: 'savedViews', orgId }, async (tx) => {
        const view = await requireView(tx, ctx, { id, isDeleted: true });
        await ensureRoom(tx, scopeOf(ctx, view));
        await restoreRow(tx, orgId, id);
      });
    } catch (error) {
      if (breaksUnique(error, 'saved_views_name')) throw refusal('view_name_taken', undefined, { cause: error });
      throw error;
    }
  });

function scopeOf(
  { orgId, actor }: { orgId: number; actor: SessionActor },
  { is_shared: isShared }: { is_shared: boolean },
): ViewScope {
  return { orgId, ownerId: isShared ? null : actor.userId };
}

/** @throws ContractError `conflict` if the person or the organization has reached the maximum; the caller holds the lock */
async function ensureRoom(tx: TransactionClient, scope: ViewScope): Promise<void> {
  const isShared = scope.ownerId === null;
  const max = isShared ? sharedViewsMax : ownViewsMax;
  if ((await countViews(tx, scope)) < max) return;
  throw refusal(isShared ? 'too_many_shared_views' : 'too_many_own_views', { max });
}

/**
 * @throws ContractError `not_found`, also for a view of another user; `forbidden` for a shared view without the role
 */
async function requireView(
  tx: TransactionClient,
  { orgId, actor }: { orgId: number; actor: SessionActor },
  { id, isDeleted = false }: { id: number; isDeleted?: boolean },
): Promise<SavedView> {
  const view = await lockView(tx, orgId, { userId: actor.userId, id, isDeleted });
  if (!view) throw refusal('not_found', { what: 'View' });
  ensureMayChange(actor, view.is_shared);
  return view;
}

function ensureMayChange({ role }: SessionActor, isShared: boolean): void {
  if (isShared && !roleIncludes(role, 'manager')) throw refusal('role_missing', { role: 'manager' });
}

function nameIsTaken(): never {
  throw refusal('view_name_taken');
}
