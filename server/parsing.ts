/**
 * Everything that the parsers of messages may import of the server: functions without database and settings, because the
 * process that evaluates mappings loads them as well, and should start quickly.
 */
export { endOfString, isNestedTooDeep, jsonLevelsMax } from './kernel/json-levels.js';
export { serveWork } from './kernel/limited-process/serve.js';
export { parseTimestamp } from './kernel/time.js';
export { normalForm } from './things/tags/normal-form.js';
export type { TagType } from './things/tags/schemas.js';
export { isPossible, quantities, type Quantity, type Telemetry } from './things/telemetry/quantities.js';
export { departureKindOf, isAbsentMessage, isDepartureWord, reportsGone } from './tracking/readers/departures.js';
export { createEvaluator, ExpressionError, expressionFlaw } from './tracking/readers/expressions.js';
export type { ReaderFormat } from './tracking/readers/formats.js';
export type { MappingWork } from './tracking/readers/mapping-process.js';
export type { Mapping } from './tracking/readers/view.js';
export { isUsableValue, type TagRead } from './tracking/scans/reader-message.js';
