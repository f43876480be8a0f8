import { currentInstant } from '../../kernel/database/columns.js';
import { isOpenInvitation } from '../members/invitation-queries.js';
import { sessionProcedure } from '../../trpc.js';

/**
 * The progress of an organization's setup, derived from its rows, regardless of how they were created. Sample rows do
 * not count.
 */
export type FirstSteps = {
  has_location: boolean;
  has_asset: boolean;
  has_reader: boolean;
  /** A reader that has sent a message. */
  has_live_reader: boolean;
  /** Another member, or an invitation that is open. */
  has_colleague: boolean;
  has_sample: boolean;
  /** Whether somebody has dismissed the setup guide. */
  has_ended: boolean;
};

/** Returns which of the first steps a new organization has done. */
export const firstSteps = sessionProcedure('admin').query(async ({ ctx }): Promise<FirstSteps> => {
  const { orgId } = ctx;
  const [row] = await ctx.services.db.$queryRaw<[FirstSteps]>`
    SELECT EXISTS (SELECT FROM locations
                    WHERE org_id = o.id AND deleted_at IS NULL AND id <> ALL (o.sample_location_ids)) AS has_location,
           EXISTS (SELECT FROM assets
                    WHERE org_id = o.id AND deleted_at IS NULL AND id <> ALL (o.sample_asset_ids)) AS has_asset,
           EXISTS (SELECT FROM readers WHERE org_id = o.id AND deleted_at IS NULL) AS has_reader,
           EXISTS (SELECT FROM readers
                    WHERE org_id = o.id AND deleted_at IS NULL AND last_message_at IS NOT NULL) AS has_live_reader,
           (SELECT count(*) FROM memberships WHERE org_id = o.id) > 1
             OR EXISTS (SELECT FROM invitations i WHERE i.org_id = o.id AND ${isOpenInvitation}) AS has_colleague,
           o.sample_location_ids <> '{}' AS has_sample,
           o.first_steps_ended_at IS NOT NULL AS has_ended
      FROM organizations o
     WHERE o.id = ${orgId}::int`;
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
