import { createCaller, createOrganizationWorld, type Member, type OrganizationWorld } from '../../../support/caller.js';

type Caller = ReturnType<typeof createCaller>;

/** A world with one organization, for its members and invitations. */
export type MembersWorld = OrganizationWorld & {
  /** The procedures of the administrator. */
  members: Caller['members'];
  membersAs(member: Member): Caller['members'];
  /** Reads an invitation as a person without an account does. */
  offer: Caller['session']['invitation'];
};

export async function createMembersWorld(): Promise<MembersWorld> {
  const world = await createOrganizationWorld();
  const membersAs = (member: Member) => world.as(member).members;
  const { session } = createCaller(world.services);
  return Object.assign(world, { members: membersAs(world.admin), membersAs, offer: session.invitation });
}
