import type { Outcome } from './play.js';
import { minuteMs } from './shifts.js';

/** How to get in and what to look at, with commands to paste. */
export function lookAround(url: string, { account, setUp, tookMs }: Outcome): string {
  const { organization, email, password, readKey } = account;
  const [asset = 1] = setUp.thingOfAsset.keys();
  const credentials = JSON.stringify({ email, password: password ?? 'your password' });
  return [
    `The organisation "${organization}" is at ${url}.`,
    `  Sign in with ${email} and ${password === undefined ? 'your password' : `the password ${password}`}`,
    `  KEY=${readKey}`,
    `The day passed in the last ${(tookMs / minuteMs).toFixed(1)} minutes, and its times are those of these minutes.`,
    'Where everything is, what is at one place, and where something has been:',
    `  curl -s "${url}/api/v1/reports/asset-locations?limit=5" -H "Authorization: Bearer $KEY"`,
    `  curl -s "${url}/api/v1/reports/asset-locations?location_external_key=PACK" -H "Authorization: Bearer $KEY"`,
    `  curl -s "${url}/api/v1/assets/${asset}/history" -H "Authorization: Bearer $KEY"`,
    'What was read but is nobody’s, and what was not understood:',
    `  SESSION=$(curl -s ${url}/trpc/session.signIn -H 'Content-Type: application/json' -d '${credentials}' | node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).result.data.token")`,
    `  curl -s ${url}/trpc/scans.unknownTags -H "Authorization: Bearer $SESSION"`,
    `  curl -s ${url}/trpc/scans.rejectedMessages -H "Authorization: Bearer $SESSION"`,
  ].join('\n');
}
