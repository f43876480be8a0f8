import { advertisedTelemetry } from './advertisement.js';
import type { Format } from './format.js';
import { addFinding, type Finding, newResult, outcomeOf } from './frame-format.js';
import { textOfPayload, valuesMax } from './json-frames.js';
import { asMac, epochOf } from './values.js';

const reports = ['$GPRP', '$RSPR', '$SRRP', '$LRAD', '$LRSR', '$1MAD', '$1MSR'];
/** Of the gateway itself: its heartbeat and its position. */
const ownReports = ['$HBRP', '$GPSR'];

/** Returns whether a payload has lines of an Ingics gateway. */
export function isIngics(payload: Uint8Array): boolean {
  const begin = Buffer.from(payload.subarray(0, 8)).toString().trimStart().slice(0, 5);
  return reports.includes(begin) || ownReports.includes(begin);
}

/**
 * Ingics gateways: lines of text, `$GPRP,<tag>,<gateway>,<RSSI>,<content>[,<time>]`. Facts: the manuals of iGS01S and
 * iGS03 (ingics.com).
 */
export const ingics: Format = ({ payload, onReadsTopic }) => {
  const lines = textOfPayload(payload)
    .split(/[\r\n\0]+/)
    .filter((line) => line.trim() !== '');
  const result = newResult();
  for (const [index, line] of lines.slice(0, valuesMax).entries()) {
    addFinding(result, findingOf(line, `line ${index + 1}`), { alwaysHasRssi: true });
  }
  return outcomeOf(result, onReadsTopic);
};

function findingOf(line: string, path: string): Finding {
  const [report = '', tag = '', , rssi, content, at] = line.trim().split(',');
  if (ownReports.includes(report)) return { noRead: true };
  if (!reports.includes(report)) return { flaw: `${path} is no report of an Ingics gateway` };
  const value = asMac(tag);
  if (value === undefined) return { flaw: `the address in ${path} is no MAC address` };
  return {
    tagType: 'ble',
    value,
    path,
    rssi,
    telemetry: advertisedTelemetry(content),
    // Times are seconds; the newest gateways can send milliseconds.
    timeMs: epochOf(at?.replace('*', ''), 's'),
  };
}
