import { currentInstant } from '../../kernel/database/columns.js';
import { sessionProcedure } from '../../trpc.js';

/** The progress of an organization's setup; derived from its rows, regardless of how they were created. */
export type FirstSteps = {
  has_location: boolean;
  has_tagged_asset: boolean;
  has_reader: boolean;
  /** A reader that has sent a message. */
  has_live_reader: boolean;
  has_key: boolean;
  /** Whether somebody has dismissed the setup guide. */
  has_ended: boolean;
};

/** Returns which of the first steps a new organization has done. */
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

/** Dismisses the setup guide. Repeating it changes nothing. */
export const endFirstSteps = sessionProcedure('admin').mutation(async ({ ctx }) => {
  await ctx.services.db.$executeRaw`
    UPDATE organizations
       SET first_steps_ended_at = ${currentInstant}
     WHERE id = ${ctx.orgId}::int
       AND first_steps_ended_at IS NULL`;
  return { has_ended: true as const };
});
