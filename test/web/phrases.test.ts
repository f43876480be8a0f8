import { expect, it } from 'vitest';
import { phrasesOf, withoutPhrase } from '../../web/search/phrases.js';

it.each<[string, { rest?: string; place?: string; days?: number; free?: true; near?: true }]>([
  ['pump', { rest: 'pump' }],
  ['in Ward 3A', { place: 'Ward 3A' }],
  ['pump in Ward 3A', { rest: 'pump', place: 'Ward 3A' }],
  ['Pumpe  in Station 3A', { rest: 'Pumpe', place: 'Station 3A' }],
  ['Bett im Lager', { rest: 'Bett', place: 'Lager' }],
  ['in the workshop', { place: 'workshop' }],
  ['not seen for 2 days', { days: 2 }],
  ['Not seen for 1 day', { days: 1 }],
  ['unseen for 3 weeks', { days: 21 }],
  ['not seen in the last 2 months', { days: 60 }],
  ['nicht gesehen seit 2 Tagen', { days: 2 }],
  ['seit 1 Woche nicht gesehen', { days: 7 }],
  ['nicht mehr gesehen seit 3 Monaten', { days: 90 }],
  ['pump not seen for 2 days in Ward 3A', { rest: 'pump', days: 2, place: 'Ward 3A' }],
  ['pump in Ward 3A not seen for 2 days', { rest: 'pump', days: 2, place: 'Ward 3A' }],
  ['Pumpe nicht gesehen seit 2 Tagen in Station 3A', { rest: 'Pumpe', days: 2, place: 'Station 3A' }],
  ['not seen for 0 days', { rest: 'not seen for 0 days' }],
  ['not seen for 9999 days', { rest: 'not seen for 9999 days' }],
  ['not seen for ages', { rest: 'not seen for ages' }],
  ['inbox', { rest: 'inbox' }],
  ['plug-in 3', { rest: 'plug-in 3' }],
  ['pump in', { rest: 'pump in' }],
  ['any free pump near me', { rest: 'pump', free: true, near: true }],
  ['free pump in Ward 3A', { rest: 'pump', place: 'Ward 3A', free: true }],
  ['freie Pumpe in meiner Nähe', { rest: 'Pumpe', free: true, near: true }],
  ['Pumpe frei im Lager nicht gesehen seit 2 Tagen', { rest: 'Pumpe', place: 'Lager', days: 2, free: true }],
  ['lactose-free milk', { rest: 'lactose-free milk' }],
  ['freezer', { rest: 'freezer' }],
])('"%s" means %j', (text, { rest = '', place, days, free = false, near = false }) => {
  const found = phrasesOf(text);
  expect(found.rest).toBe(rest);
  expect(found.phrases.flatMap((phrase) => (phrase.kind === 'place' ? [phrase.place] : []))).toEqual(
    place ? [place] : [],
  );
  expect(found.phrases.flatMap((phrase) => (phrase.kind === 'unseen' ? [phrase.days] : []))).toEqual(
    days ? [days] : [],
  );
  const kinds = found.phrases.map(({ kind }) => kind);
  expect([kinds.includes('free'), kinds.includes('near')]).toEqual([free, near]);
});

it('takes one phrase out of a text', () => {
  const text = 'pump in Ward 3A not seen for 2 days';
  const [place, unseen] = phrasesOf(text).phrases;
  expect(place && withoutPhrase(text, place)).toBe('pump not seen for 2 days');
  expect(unseen && withoutPhrase(text, unseen)).toBe('pump in Ward 3A');
});
