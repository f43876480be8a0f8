const statuses = ['open', 'acknowledged', 'ended', 'all'] as const;

/** Which alerts are shown, as in the address. Days are local. */
export type AlertsSearch = {
  /** Only open alerts if undefined. */
  status?: (typeof statuses)[number];
  rule_id?: number;
  asset_id?: number;
  location_id?: number;
  from?: string;
  to?: string;
};

export function parseAlertsSearch(given: Record<string, unknown>): AlertsSearch {
  const status = statuses.find((candidate) => candidate === given['status']);
  const [rule, asset, location] = ['rule_id', 'asset_id', 'location_id'].map((name) => idOf(given[name]));
  const { from, to } = given;
  return {
    ...(status !== undefined && { status }),
    ...(rule !== undefined && { rule_id: rule }),
    ...(asset !== undefined && { asset_id: asset }),
    ...(location !== undefined && { location_id: location }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}

/** The initial values of a new rule: a trigger, and the object from whose page the person comes. */
export type NewRuleSearch = { when?: string; asset_id?: number; location_id?: number };

export function parseNewRuleSearch({ when, ...given }: Record<string, unknown>): NewRuleSearch {
  const [asset, location] = [idOf(given['asset_id']), idOf(given['location_id'])];
  return {
    ...(typeof when === 'string' && { when }),
    ...(asset !== undefined && { asset_id: asset }),
    ...(location !== undefined && { location_id: location }),
  };
}

const idMax = 2_147_483_647;

function idOf(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= idMax ? Number(value) : undefined;
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}
