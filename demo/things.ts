import { createRandom, type Random } from './random.js';

export type TagType = 'rfid' | 'ble';

/** Kinds of things; each moves in its own way. */
export const kinds = [
  'stored pallet',
  'inbound pallet',
  'tote',
  'cold box',
  'tool',
  'cart',
  'forklift',
  'office equipment',
  'foreign tag',
] as const;

export type Kind = (typeof kinds)[number];

export type Tag = { type: TagType; value: string };

/** Something with a tag: an asset, or a foreign tag on a passing truck, which belongs to nobody here. */
export type Thing = { kind: Kind; key: string; name: string; tags: readonly Tag[] };

type Make = { kind: Kind; prefix: string; name: string; share: number; tagTypes: (random: Random) => TagType[] };

const rfid = (): TagType[] => ['rfid'];
const ble = (): TagType[] => ['ble'];
const both = (): TagType[] => ['rfid', 'ble'];

/** The shares are percentages of the assets. */
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

const foreignPercent = 2;

/** Returns the assets, followed by the foreign tags. */
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
  const foreign: Make = { kind: 'foreign tag', prefix: 'X', name: 'Foreign', share: foreignPercent, tagTypes: rfid };
  const foreignTags = Math.ceil((assets * foreignPercent) / 100);
  return [...things, ...Array.from({ length: foreignTags }, (_, i) => thing(foreign, i + 1))];

  function thing({ kind, prefix, name, tagTypes }: Make, number: number): Thing {
    const tags = tagTypes(random).map((type) => ({ type, value: newValue(type) }));
    return { kind, key: `${prefix}-${String(number).padStart(4, '0')}`, name: `${name} ${number}`, tags };
  }

  /** Returns an EPC of 96 bits or a MAC address that is not used yet: upper case, no colons. */
  function newValue(type: TagType): string {
    for (;;) {
      const value = type === 'rfid' ? `3034${random.hex(20)}` : `AC23${random.hex(8)}`;
      if (values.has(value)) continue;
      values.add(value);
      return value;
    }
  }
}
