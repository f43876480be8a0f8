import { dayPart, idPart, oneOfPart, type Search, searchOf, textPart } from '../../ui/address-search.js';

const alertParts = {
  /** Only open alerts if undefined. */
  status: oneOfPart(['open', 'acknowledged', 'ended', 'all']),
  rule_id: idPart,
  asset_id: idPart,
  location_id: idPart,
  from: dayPart,
  to: dayPart,
};

/** Which alerts are shown, as in the address. Days are local. */
export type AlertsSearch = Search<typeof alertParts>;

export function parseAlertsSearch(given: Record<string, unknown>): AlertsSearch {
  return searchOf(alertParts, given);
}

const newRuleParts = { when: textPart, asset_id: idPart, location_id: idPart };

/** The initial values of a new rule: a trigger, and the object from whose page the person comes. */
export type NewRuleSearch = Search<typeof newRuleParts>;

export function parseNewRuleSearch(given: Record<string, unknown>): NewRuleSearch {
  return searchOf(newRuleParts, given);
}
