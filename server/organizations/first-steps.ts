import { currentInstant } from '../database/columns.js';
import { sessionProcedure } from '../trpc.js';

/** How far an organization has come; told from what is there, so that it does not matter in which way it was made. */
export type FirstSteps = {
  has_location: boolean;
  has_tagged_asset: boolean;
  has_reader: boolean;
  /** A reader that was heard of. */
  has_live_reader: boolean;
  has_key: boolean;
  /** Whether somebody said that no more leading is needed. */
  has_ended: boolean;
};

/** What a new organization has done of its first steps. */
export const firstSteps = sessionProcedure('admin').query(async ({ ctx }): Promise<FirstSteps> => {
  const { orgId } = ctx;
  const [row] = await ctx.services.db.$queryRaw<[FirstSteps]>`
    SELECT EXISTS (SELECT FROM locations WHERE org_id = ${orgId}::int AND deleted_at IS NULL) AS has_location,
           EXISTS (SELECT FROM tags
                    WHERE org_id = ${orgId}::int AND asset_id IS NOT NULL AND deleted_at IS NULL) AS has_tagged_asset,
           EXISTS (SELECT FROM readers WHERE org_id = ${orgId}::int AND deleted_at IS NULL) AS has_reader,
           EXISTS (SELECT FROM readers
                    WHERE org_id = ${orgId}::int
                      AND deleted_at IS NULL
                      AND last_message_at IS NOT NULL) AS has_live_reader,
           EXISTS (SELECT FROM api_keys WHERE org_id = ${orgId}::int AND revoked_at IS NULL) AS has_key,
           EXISTS (SELECT FROM organizations
                    WHERE id = ${orgId}::int AND first_steps_ended_at IS NOT NULL) AS has_ended`;
  return row;
});

/** Leads administrators no longer. Saying it again changes nothing. */
export const endFirstSteps = sessionProcedure('admin').mutation(async ({ ctx }) => {
  await ctx.services.db.$executeRaw`
    UPDATE organizations
       SET first_steps_ended_at = ${currentInstant}
     WHERE id = ${ctx.orgId}::int
       AND first_steps_ended_at IS NULL`;
  return { has_ended: true as const };
});
