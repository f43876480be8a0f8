/** Returns the name under which this device keeps the scans of a person in one organization. */
export function ownerOf({ user, organization }: { user: { id: number }; organization: { id: number } }): string {
  return `${user.id}/${organization.id}`;
}
