import type { LocatingResult, ScoreTable } from './locating-result.js';
import { figuresOf, type LocationFigures, type LocationScore } from './location-score.js';
import type { Options } from './options.js';
import { markdownTable, percentage } from './table.js';

const columns = ['assets', 'rule', 'truth %', 'moves', 'p50 s', 'p95 s', 'missed %', 'true moves'] as const;

/** Formats how well the service located the assets, compared with the rule that the latest read decides. */
export function locatingText(
  { locationRule = 'evidence' }: Pick<Options, 'locationRule'>,
  { locating, pace }: { locating: LocatingResult; pace: number },
): string {
  const { service, latestRead, agreement } = locating;
  const rows = groupsOf(latestRead).flatMap(({ name, score: baseline }) => {
    const ofService = service && scoreOf(service, name);
    return [
      ...(ofService ? [[name, `service (${locationRule})`, ...cellsOf(ofService)]] : []),
      [name, 'latest read wins', ...cellsOf(baseline)],
    ];
  });
  return [
    'Locations over the whole day, within reach of a reader:',
    markdownTable(columns, rows, { texts: 2 }),
    [
      'Truth: share of the time with the true location reported, without the first 5 s after each arrival.',
      'Moves: reported moves per true move.',
      `p50, p95: delay of true moves, from the arrival to the receipt of the read that decided; seconds of the day, which ran ${pace.toFixed(0)} times real time.`,
      'Missed: true moves that were not reported before the asset moved on.',
      ...(service
        ? [
            `The service’s moves are taken from its visits, which agree with ${percentage(agreement.agreed, agreement.compared)} of ${agreement.compared.toLocaleString('en')} reported locations above.`,
          ]
        : ['The day was ended before the service’s visits could be read.']),
    ].join('\n'),
  ].join('\n\n');
}

/** The same for JSON: shares from 0 to 1, times in milliseconds of the day. */
export function locatingJson({ service, latestRead, agreement }: LocatingResult) {
  return {
    service: service ? scoresJson(service) : null,
    latest_read: scoresJson(latestRead),
    agreement: { compared: agreement.compared, agreed: agreement.agreed },
  };
}

function scoresJson(table: ScoreTable) {
  return Object.fromEntries(groupsOf(table).map(({ name, score }) => [name, scoreJson(score)]));
}

function scoreJson(score: LocationScore) {
  const { truth, movesRatio, delayP50Ms, delayP95Ms, missed } = figuresOf(score);
  return {
    assets: score.assets,
    true_moves: score.trueMoves,
    reported_moves: score.reportedMoves,
    truth: truth ?? null,
    moves_ratio: movesRatio ?? null,
    delay_p50_ms: delayP50Ms ?? null,
    delay_p95_ms: delayP95Ms ?? null,
    missed: missed ?? null,
  };
}

function groupsOf({ all, byKind }: ScoreTable): { name: string; score: LocationScore }[] {
  return [{ name: 'all', score: all }, ...Array.from(byKind, ([name, score]) => ({ name, score }))];
}

function scoreOf(table: ScoreTable, group: string): LocationScore | undefined {
  return groupsOf(table).find(({ name }) => name === group)?.score;
}

function cellsOf(score: LocationScore): string[] {
  const figures: LocationFigures = figuresOf(score);
  return [
    fixed(figures.truth, 100, 2),
    fixed(figures.movesRatio, 1, 2),
    fixed(figures.delayP50Ms, 0.001, 1),
    fixed(figures.delayP95Ms, 0.001, 1),
    fixed(figures.missed, 100, 1),
    score.trueMoves.toLocaleString('en'),
  ];
}

function fixed(value: number | undefined, factor: number, digits: number): string {
  return value === undefined ? '–' : (value * factor).toFixed(digits);
}
