/**
 * Physical bounds of what tags measure, both included. `battery` and `humidity` are in percent, `voltage` is the
 * voltage of the battery in volts, `temperature` is in °C. `motion` is 1 while the tag moves or detects motion;
 * `movements` counts and starts again from 0. `button` is the kind of press as BTHome numbers it: 1 single, 2 double, 3
 * triple, 4 long.
 */
const bounds = {
  battery: { min: 0, max: 100 },
  voltage: { min: 0.5, max: 30 },
  temperature: { min: -100, max: 200 },
  humidity: { min: 0, max: 100 },
  motion: { min: 0, max: 1 },
  movements: { min: 0, max: 16_777_215 },
  button: { min: 1, max: 254 },
} as const;

export type Quantity = keyof typeof bounds;

export const quantities = Object.keys(bounds) as readonly Quantity[];

/** The quantities whose first value of each hour is kept. */
export const hourlyQuantities = [
  'battery',
  'voltage',
  'temperature',
  'humidity',
] as const satisfies readonly Quantity[];

/** What a tag measured, as sent with a read. */
export type Telemetry = Partial<Record<Quantity, number>>;

/** Returns whether a value is within the physical bounds of its quantity. */
export function isPossible(quantity: Quantity, value: number): boolean {
  const { min, max } = bounds[quantity];
  return value >= min && value <= max;
}
