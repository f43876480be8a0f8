import { createRandom, type Random } from './random.js';

export type TagType = 'rfid' | 'ble';

/** What kinds of things there are, and so how they move. */
export const kinds = [
  'stored pallet',
  'inbound pallet',
  'tote',
  'cold box',
  'tool',
  'cart',
  'forklift',
  'office equipment',
  'stranger',
] as const;

export type Kind = (typeof kinds)[number];

export type Tag = { type: TagType; value: string };

/** Something with a tag on it. Strangers are on trucks that come by: their tags are nobody's here. */
export type Thing = { kind: Kind; key: string; name: string; tags: readonly Tag[] };

type Make = { kind: Kind; prefix: string; name: string; share: number; tagTypes: (random: Random) => TagType[] };

const rfid = (): TagType[] => ['rfid'];
const ble = (): TagType[] => ['ble'];
const both = (): TagType[] => ['rfid', 'ble'];

/** The shares are percent of the assets. */
const makes: readonly Make[] = [
  { kind: 'stored pallet', prefix: 'PAL', name: 'Pallet', share: 46, tagTypes: rfid },
  { kind: 'inbound pallet', prefix: 'NEW', name: 'New pallet', share: 15, tagTypes: rfid },
  { kind: 'tote', prefix: 'TOTE', name: 'Tote', share: 15, tagTypes: rfid },
  {
    kind: 'cold box',
    prefix: 'COLD',
    name: 'Cold box',
    share: 8,
    tagTypes: (random) => (random.chance(0.5) ? both() : ble()),
  },
  { kind: 'tool', prefix: 'TOOL', name: 'Tool', share: 8, tagTypes: (random) => (random.chance(0.7) ? ble() : rfid()) },
  { kind: 'cart', prefix: 'CART', name: 'Cart', share: 2.5, tagTypes: both },
  { kind: 'forklift', prefix: 'FORK', name: 'Forklift', share: 1.5, tagTypes: both },
  { kind: 'office equipment', prefix: 'EQ', name: 'Equipment', share: 4, tagTypes: ble },
];

const strangersPercent = 2;

/** The assets, and behind them the strangers. */
export function makeThings(seed: number, assets: number): Thing[] {
  const random = createRandom(seed, 'things');
  const values = new Set<string>();
  let share = 0;
  const things = makes.flatMap((make) => {
    const begin = Math.round((share * assets) / 100);
    share += make.share;
    const count = Math.round((share * assets) / 100) - begin;
    return Array.from({ length: count }, (_, i) => thing(make, i + 1));
  });
  const strange: Make = { kind: 'stranger', prefix: 'X', name: 'Stranger', share: strangersPercent, tagTypes: rfid };
  const strangers = Math.ceil((assets * strangersPercent) / 100);
  return [...things, ...Array.from({ length: strangers }, (_, i) => thing(strange, i + 1))];

  function thing({ kind, prefix, name, tagTypes }: Make, number: number): Thing {
    const tags = tagTypes(random).map((type) => ({ type, value: newValue(type) }));
    return { kind, key: `${prefix}-${String(number).padStart(4, '0')}`, name: `${name} ${number}`, tags };
  }

  /** An EPC of 96 bits or a MAC address, in the form in which readers are understood: upper case, no colons. */
  function newValue(type: TagType): string {
    for (;;) {
      const value = type === 'rfid' ? `3034${random.hex(20)}` : `AC23${random.hex(8)}`;
      if (values.has(value)) continue;
      values.add(value);
      return value;
    }
  }
}
