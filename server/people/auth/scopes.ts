/** The scopes (contract 6.3). `keys:admin` gates administration in the app and is not selectable for integrator keys. */
export const scopes = [
  'assets:read',
  'assets:write',
  'locations:read',
  'locations:write',
  'tracking:read',
  'keys:admin',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes that an integrator may choose for a key. */
export const selectableScopes = scopes.filter((scope) => scope !== 'keys:admin');

/** From the least to the most powerful role; each role includes the previous roles. */
export const roles = ['viewer', 'operator', 'manager', 'admin'] as const;

export type Role = (typeof roles)[number];

const readScopes = ['assets:read', 'locations:read', 'tracking:read'] as const satisfies readonly Scope[];
const writeScopes = [...readScopes, 'assets:write', 'locations:write'] as const satisfies readonly Scope[];

export const scopesOfRole: Record<Role, ReadonlySet<Scope>> = {
  viewer: new Set(readScopes),
  operator: new Set(readScopes),
  manager: new Set(writeScopes),
  admin: new Set(scopes),
};

/** Returns whether `role` has all permissions of `needed`. */
export function roleIncludes(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
