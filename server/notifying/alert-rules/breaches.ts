import { defineStatement, type StatementRunner } from '../../kernel/database/statement.js';
import { limitTypes } from '../events/event-types.js';
import type { EventInterests } from '../events/interests.js';

const types = limitTypes.map((type) => `'${type}'`).join(', ');

/** Rules that compare what tags measure. Waits for a rule that is being deleted. */
const rule = (condition: string) => `
  SELECT r.id, r.org_id, r.event_type, (r.condition ->> 'threshold')::float8 AS threshold
    FROM alert_rules r
   WHERE ${condition} AND r.is_enabled AND r.event_type IN (${types})
     FOR KEY SHARE`;

/** The columns of a rule `r` and the last values `m` of a tag: whether the limit is violated, and since when. */
const compared = `
  r.id AS rule_id, m.org_id, m.tag_id,
  CASE r.event_type WHEN 'asset.battery_low' THEN m.battery < r.threshold
                    WHEN 'asset.temperature_high' THEN m.temperature > r.threshold
                    ELSE m.temperature < r.threshold END AS holds,
  CASE r.event_type WHEN 'asset.battery_low' THEN m.battery_at ELSE m.temperature_at END AS at`;

const begin = `
  INSERT INTO telemetry_breaches (org_id, rule_id, tag_id, since)
  SELECT s.org_id, s.rule_id, s.tag_id, s.at FROM state s WHERE s.holds ORDER BY s.tag_id, s.rule_id
  ON CONFLICT DO NOTHING`;

type StoredTag = { orgId: number; tagId: number };

const updateStatement = defineStatement<readonly StoredTag[]>(
  'update_breaches',
  ({ rows }) => `
    WITH given AS MATERIALIZED (
      SELECT * FROM ${rows('c', (tags) => tags, {
        org_id: ['int', ({ orgId }) => orgId],
        tag_id: ['int', ({ tagId }) => tagId],
      })}
    ), rule AS MATERIALIZED (${rule('r.org_id IN (SELECT org_id FROM given)')}
    ), state AS MATERIALIZED (
      SELECT ${compared}
        FROM given c
        JOIN rule r ON r.org_id = c.org_id
        JOIN tag_telemetry m ON m.tag_id = c.tag_id AND m.org_id = c.org_id
    ), ended AS (
      DELETE FROM telemetry_breaches b
       USING state s
       WHERE b.rule_id = s.rule_id AND b.tag_id = s.tag_id AND NOT s.holds
    )
    ${begin}`,
);

/**
 * Updates which limits the last values of tags violate, and since when. Runs no statement if none of the organizations
 * has a rule with such a limit.
 */
export async function updateBreaches(
  runner: StatementRunner,
  tags: readonly StoredTag[],
  interests: Pick<EventInterests, 'wants'>,
): Promise<void> {
  const compared = tags.filter(({ orgId }) => limitTypes.some((type) => interests.wants(orgId, type)));
  if (compared.length > 0) await runner.run(updateStatement, compared);
}

const fillStatement = defineStatement<{ orgId: number; ruleId: number }>(
  'fill_breaches',
  ({ value }) => `
    WITH rule AS MATERIALIZED (${rule(
      `r.org_id = ${value('int', ({ orgId }) => orgId)} AND r.id = ${value('int', ({ ruleId }) => ruleId)}`,
    )}
    ), state AS MATERIALIZED (
      SELECT ${compared} FROM rule r JOIN tag_telemetry m ON m.org_id = r.org_id
    )
    ${begin}`,
);

/** Finds all tags of an organization whose last values violate the limit of a rule that is new or has changed. */
export async function fillBreaches(runner: StatementRunner, orgId: number, ruleId: number): Promise<void> {
  await runner.run(fillStatement, { orgId, ruleId });
}
