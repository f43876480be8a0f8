import type { TagRead } from '../../server/index.js';
import { advertisedTelemetry } from './advertisement.js';
import type { Format } from './format.js';
import { readOf } from './frame-format.js';
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
  const reads: TagRead[] = [];
  let loss: string | undefined;
  for (const [index, line] of lines.slice(0, valuesMax).entries()) {
    const read = readOfLine(line, `line ${index + 1}`);
    if (typeof read === 'string') loss ??= read;
    else if (read) reads.push(read);
  }
  if (reads.length > 0) return { kind: 'reads', reads, ...(loss !== undefined && { loss }) };
  if (lines.length === 0) loss = 'the payload is empty';
  return loss !== undefined && onReadsTopic ? { kind: 'rejected', reason: loss } : { kind: 'status' };
};

function readOfLine(line: string, path: string): TagRead | string | undefined {
  const [report = '', tag = '', , rssi, content, at] = line.trim().split(',');
  if (ownReports.includes(report)) return undefined;
  if (!reports.includes(report)) return `${path} is no report of an Ingics gateway`;
  // Times are seconds; the newest gateways can send milliseconds.
  const timeMs = epochOf(at?.replace('*', ''), 's');
  const telemetry = advertisedTelemetry(content);
  return readOf(
    { tagType: 'ble', value: asMac(tag), path: `the address in ${path}`, rssi, timeMs, telemetry },
    { alwaysHasRssi: true },
  );
}
