import type { Account } from './account.js';
import type { Outcome } from './outcome.js';
import { minuteMs } from './shifts.js';

/** Returns where the organization of the demo is, and how to sign in. */
export function signInLines(url: string, { organization, email, password }: Account): string {
  return [
    `The organization "${organization}" is at ${url}.`,
    `  Sign in with ${email} and ${password === undefined ? 'your password' : `the password ${password}`}`,
  ].join('\n');
}

/** Returns how to sign in and what to look at, with commands to paste. */
export function nextSteps(url: string, { account, setUp, tookMs }: Outcome): string {
  const { email, password, readKey } = account;
  const [asset = 1] = setUp.thingOfAsset.keys();
  const credentials = JSON.stringify({ email, password: password ?? 'your password' });
  return [
    signInLines(url, account),
    `  The floor plan is at ${setUp.planUrl}`,
    `  KEY=${readKey}`,
    `The day took the last ${(tookMs / minuteMs).toFixed(1)} minutes; its reads have the times of these minutes.`,
    'Where all assets are, which are at one location, and where one asset has been:',
    `  curl -s "${url}/api/v1/reports/asset-locations?limit=5" -H "Authorization: Bearer $KEY"`,
    `  curl -s "${url}/api/v1/reports/asset-locations?location_external_key=PACK" -H "Authorization: Bearer $KEY"`,
    `  curl -s "${url}/api/v1/assets/${asset}/history" -H "Authorization: Bearer $KEY"`,
    'Unknown tags and rejected messages:',
    `  SESSION=$(curl -s ${url}/trpc/session.signIn -H 'Content-Type: application/json' -d '${credentials}' | node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).result.data.token")`,
    `  curl -s ${url}/trpc/scans.unknownTags -H "Authorization: Bearer $SESSION"`,
    `  curl -s ${url}/trpc/scans.rejectedMessages -H "Authorization: Bearer $SESSION"`,
  ].join('\n');
}
