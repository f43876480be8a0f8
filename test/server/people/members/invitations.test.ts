import { describe, expect, it } from 'vitest';
import { hashToken } from '../../../../server/people/auth/random-token.js';
import { removeOldInvitations } from '../../../../server/people/members/invitation-queries.js';
import { addMember, addOrganization, refusalOf } from '../../../support/caller.js';
import { createMembersWorld } from './world.js';

const noOffer = {
  type: 'not_found',
  detail: 'This invitation is no longer valid; ask for a new link',
};

describe('members.invite', () => {
  it('makes a link for a week, and stores the hash of its token alone', async () => {
    await using world = await createMembersWorld();
    const invitation = await world.members.invite({ role: 'operator', email: ' Ben@Example.com' });
    expect(invitation).toEqual({
      id: expect.any(Number),
      email_status: 'not_configured',
      role: 'operator',
      email: 'ben@example.com',
      invited_by_name: 'admin',
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      expires_at: expect.stringMatching(/\.\d{3}Z$/),
      token: expect.stringMatching(/^[\w-]{43}$/),
      link_path: `/join#${invitation.token}`,
    });
    const days = (Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    const stored = await world.db.invitation.findFirstOrThrow();
    expect(stored.tokenHash).toBe(hashToken(invitation.token));
    expect(JSON.stringify([stored, await world.members.invitations()])).not.toContain(invitation.token);
  });

  it('asks for the role that the person has now', async () => {
    await using world = await createMembersWorld();
    const other = await addMember(world, world.orgId, 'admin');
    await world.members.setRole({ user_id: other.userId, role: 'manager' });
    const refusal = { type: 'forbidden', detail: 'Missing required role: admin' };
    expect(await refusalOf(world.membersAs(other).invite({ role: 'admin' }))).toEqual(refusal);
  });

  it('reports the errors of its input', async () => {
    await using world = await createMembersWorld();
    for (const [input, field, code] of [
      [{}, 'role', 'required'],
      [{ role: 'owner' }, 'role', 'invalid_value'],
      [{ role: 'viewer', email: 'nowhere' }, 'email', 'invalid_value'],
      [{ role: 'viewer', org_id: 1 }, 'org_id', 'unknown_field'],
    ] as const) {
      const refusal = await refusalOf(world.members.invite(input as never));
      expect(refusal, JSON.stringify(input)).toMatchObject({ type: 'validation_error', fields: [{ field, code }] });
    }
  });
});

describe('members.invitations', () => {
  it('lists the open ones of the organization, newest first', async () => {
    await using world = await createMembersWorld();
    const first = await world.members.invite({ role: 'viewer' });
    const second = await world.members.invite({ role: 'manager' });
    const over = await world.members.invite({ role: 'manager' });
    await world.db.invitation.update({ where: { id: over.id }, data: { expiresAt: new Date() } });
    const outsider = await addMember(world, await addOrganization(world, 'Other'), 'admin');
    await world.membersAs(outsider).invite({ role: 'viewer' });
    const page = await world.members.invitations();
    expect(page).toMatchObject({ limit: 50, offset: 0, total_count: 2 });
    expect(page.data.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await world.members.invitations({ limit: 1, offset: 1 })).data).toEqual([page.data[1]]);
  });
});

describe('members.revokeInvitation', () => {
  it('takes a link back, once', async () => {
    await using world = await createMembersWorld();
    const { id, token } = await world.members.invite({ role: 'viewer' });
    expect(await world.offer({ token })).toMatchObject({ role: 'viewer' });
    expect(await world.members.revokeInvitation({ id })).toEqual({ id });
    expect(await refusalOf(world.offer({ token }))).toEqual(noOffer);
    const refusal = { type: 'not_found', detail: 'Invitation not found' };
    expect(await refusalOf(world.members.revokeInvitation({ id }))).toEqual(refusal);
  });

  it('knows nothing of other organizations', async () => {
    await using world = await createMembersWorld();
    const { id, token } = await world.members.invite({ role: 'viewer' });
    const outsider = await addMember(world, await addOrganization(world, 'Other'), 'admin');
    const refusal = { type: 'not_found', detail: 'Invitation not found' };
    expect(await refusalOf(world.membersAs(outsider).revokeInvitation({ id }))).toEqual(refusal);
    expect(await world.offer({ token })).toMatchObject({ organization: { name: 'Acme' } });
  });
});

describe('links of somebody who is no administrator any more', () => {
  it.each(['remove', 'setRole'] as const)('are invalid after %s', async (change) => {
    await using world = await createMembersWorld();
    const other = await addMember(world, world.orgId, 'admin');
    const theirs = await world.membersAs(other).invite({ role: 'admin' });
    const mine = await world.members.invite({ role: 'viewer' });
    if (change === 'remove') await world.members.remove({ user_id: other.userId });
    else await world.members.setRole({ user_id: other.userId, role: 'manager' });
    expect(await refusalOf(world.offer({ token: theirs.token }))).toEqual(noOffer);
    expect(await world.offer({ token: mine.token })).toMatchObject({ role: 'viewer' });
  });
});

it('old invitations go in the end', async () => {
  await using world = await createMembersWorld();
  const old = await world.members.invite({ role: 'viewer' });
  await world.members.invite({ role: 'viewer' });
  await world.db.invitation.update({
    where: { id: old.id },
    data: { expiresAt: new Date(Date.now() - 31 * 86_400_000) },
  });
  await removeOldInvitations(world.db);
  expect(await world.db.invitation.count()).toBe(1);
});
