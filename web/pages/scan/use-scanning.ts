import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { containerNames } from '../../containers/words.js';
import { holdScans } from '../../scanning/auto-send.js';
import { type BatchRead, batchReadsMax, isSamePlace, type ScanPlace } from '../../scanning/batch.js';
import { unknownIn } from '../../scanning/batches.js';
import { mayHaveLeft, storedPresence } from '../../scanning/presence.js';
import type { Resolution } from '../../scanning/resolver.js';
import { createScanSounds, type ScanSound } from '../../scanning/scan-sounds.js';
import type { ScanQueue } from '../../scanning/scan-queue.js';
import type { Matches } from '../../scanning/store.js';
import { incompleteScan } from '../../scanning/use-wedge-scanner.js';
import type { Found } from './found-card.js';
import { notAssigned, type Placing, placingText } from './placing-text.js';
import { deciding } from './use-names.js';

/** The result of the last scan, as text and sound. `no` distinguishes two equal results. */
export type Outcome = { no: number; kind: ScanSound; title: string; text: string; placing?: Placing };

/** A scan that waits for an answer: whether the person is still at the location. */
export type HeldScan = { value: string; resolution: Resolution | undefined };

export type Scanning = {
  outcome: Outcome | undefined;
  /** The last value that was scanned without a location. */
  found: Found | undefined;
  /** Places the found asset at a location. */
  placeFound: (location: ScanPlace) => void;
  closeFound: () => void;
  /** Another place whose tag was scanned while there are unsent scans, or a container in which another one may go. */
  question: ScanPlace | undefined;
  /** A scan after a long pause. It is recorded when the person has confirmed or chosen the location. */
  held: HeldScan | undefined;
  scan: (value: string) => void;
  goTo: (location: ScanPlace) => void;
  moveOn: () => void;
  takeAlong: () => void;
  stay: () => void;
  /** Records the held scan at the present location. */
  stillHere: () => void;
  /** Notes what an unknown value of the open batch names. */
  settle: (value: string, resolution: Resolution) => void;
  undo: () => void;
  /** Rejects a scan that may be incomplete. */
  reject: () => void;
};

/**
 * If an answer takes longer than this, the value is kept unresolved, and corrected when the answer arrives. Before a
 * location is chosen, the page waits for the answer, since the value may be a location's tag.
 */
const answerMaxMs = 700;

type Asset = Matches[number];

type Needs = { queue: ScanQueue; learn: (value: string) => Promise<Resolution> };

/** Returns the flow of the page: first a location, then the assets there. Scans are judged one after another. */
export function useScanning({ queue, learn }: Needs): Scanning {
  const [outcome, setOutcome] = useState<Outcome>();
  const [question, setQuestion] = useState<ScanPlace>();
  const [held, setHeld] = useState<HeldScan>();
  const [found, setFound] = useState<Found>();
  const sounds = useMemo(() => createScanSounds(), []);
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const asking = useRef<ScanPlace>(undefined);
  const holding = useRef<HeldScan>(undefined);
  const learned = useRef(new Map<string, Resolution>());
  /** The value whose name was not known when its outcome was shown. */
  const unnamed = useRef<string>(undefined);

  useEffect(() => () => sounds.stop(), [sounds]);
  // Holds back the scans until it is known for which place they are.
  useEffect(() => (question ? holdScans() : undefined), [question]);

  const show = useCallback(
    (kind: ScanSound, title: string, about: string | Placing = '') => {
      unnamed.current = undefined;
      sounds.play(kind);
      const said = typeof about === 'string' ? { text: about } : { text: '', placing: about };
      setOutcome((last) => ({ no: (last?.no ?? 0) + 1, kind, title, ...said }));
    },
    [sounds],
  );

  const ask = useCallback((location: ScanPlace | undefined) => {
    asking.current = location;
    setQuestion(location);
  }, []);

  const hold = useCallback((scan: HeldScan | undefined) => {
    holding.current = scan;
    setHeld(scan);
  }, []);

  const act = useMemo(() => {
    const inTurn = (task: () => Promise<void>) => {
      turn.current = turn.current
        .then(task)
        .catch(() => show('unknown', t`Scan not saved`, t`The browser can’t store scans on this device.`));
    };
    const open = () => queue.snapshot().open;

    async function arrive(place: ScanPlace): Promise<void> {
      const here = open();
      const scan = holding.current;
      const isSame = isSamePlace(here?.place, place);
      const isHere = here !== undefined && isSame && unknownIn(here).length === 0;
      if (scan) {
        hold(undefined);
        await (isHere ? queue.confirm() : queue.close(place));
        return keep(scan.value, scan.resolution);
      }
      if (isSamePlace(asking.current, place) || (!isHere && isSame)) return moveOn(place);
      if (isHere) {
        ask(undefined);
        await queue.confirm();
        show('duplicate', place.name, t`You are already here`);
      } else if (place.is === 'container' && here?.place.is === 'container') {
        ask(place);
        show('location', place.name, t`Scan it again to put what follows into it`);
      } else if (place.is === 'container' && here?.reads.length === 0) {
        return moveOn(place);
      } else if (await queue.openAt(place)) {
        ask(undefined);
        show('location', place.name, arrivalText(place));
      } else {
        ask(place);
        show('location', place.name, t`Scan it again to send your scans and continue there`);
      }
      return undefined;
    }

    async function moveOn(place: ScanPlace): Promise<void> {
      ask(undefined);
      // A container is where it was scanned, so that what goes into it is there, too.
      if (place.is === 'container' && open()?.place.is === undefined && !isDoubtful()) await queue.add(readOf(place));
      await queue.close(place);
      show('location', place.name, arrivalText(place));
    }

    /** Returns the read of the open batch that names the same asset by another of its tags. */
    function sameAsset(value: string, assetId: number): BatchRead | undefined {
      return open()?.reads.find(
        (read) => 'value' in read && read.value !== value && assetOf(learned.current.get(read.value))?.id === assetId,
      );
    }

    /** Shows a scan without a location: what it is, and what can be done with it. */
    function present(value: string, resolution: Resolution | undefined): void {
      const asset = assetOf(resolution);
      if (isUnanswered(resolution)) {
        show('unknown', t`Choose a location first`, t`This tag is not known on this device. Choose your location.`);
        return;
      }
      setFound({ value, asset });
      if (asset) show('placed', asset.name, whereIs(asset));
      else show('unknown', value, t`Not assigned to an asset`);
    }

    async function keep(value: string, resolution: Resolution | undefined): Promise<void> {
      const asset = assetOf(resolution);
      const here = open();
      if (!here) return present(value, resolution);
      if (asking.current || holding.current)
        return show('unknown', t`Which location?`, t`Answer the question above first. This scan was not saved.`);
      if (asset && sameAsset(value, asset.id)) return show('duplicate', asset.name, t`Already scanned`);
      const to = unknownIn(here).length === 0 ? { to: here.place } : {};
      const added = await queue.add(isUnanswered(resolution) ? { value, isUnknown: true } : { value });
      const name = asset?.name ?? value;
      if (added === 'duplicate') return show('duplicate', name, t`Already scanned`);
      if (added === 'full')
        return show('unknown', t`Send these first`, t`You can send ${batchReadsMax} scans at once.`);
      if (asset) return show('placed', name, { value, asset, ...to });
      if (!isUnanswered(resolution)) return show('unknown', name, notAssigned);
      show('waiting', name, { value, ...to });
      unnamed.current = value;
      return undefined;
    }

    /** Returns whether the person may have left the location without a scan. */
    function isDoubtful(): boolean {
      const here = open();
      return (
        here !== undefined &&
        here.place.is !== 'out' &&
        mayHaveLeft(Date.parse(here.observedAt), storedPresence(), Date.now())
      );
    }

    async function judge(value: string): Promise<void> {
      setFound(undefined);
      const isKept = open()?.reads.some((read) => 'value' in read && read.value === value) ?? false;
      if (isKept && !isDoubtful()) {
        return show('duplicate', assetOf(learned.current.get(value))?.name ?? value, t`Already scanned`);
      }
      const answer = learn(value).then((resolution) => {
        learned.current.set(value, resolution);
        return resolution;
      });
      const late = new Promise<undefined>((done) => setTimeout(done, answerMaxMs));
      let inTime = await Promise.race([answer, late]);
      if (inTime === undefined && !open()) {
        show('waiting', value, t`Looking it up…`);
        inTime = await answer;
      }
      const match = deciding(inTime);
      const place = placeOf(match, open()?.place);
      if (place) return arrive(place);
      if (asking.current || holding.current || !isDoubtful()) return keep(value, inTime);
      hold({ value, resolution: inTime });
      return show('duplicate', match?.name ?? value, t`Not saved yet. Where are you now?`);
    }

    /** Corrects a value that turns out to be a location, or an asset that is in the batch already. */
    async function settle(value: string, resolution: Resolution): Promise<void> {
      const here = open();
      if (!here || !unknownIn(here).includes(value)) return;
      learned.current.set(value, resolution);
      const isShown = unnamed.current === value;
      const match = deciding(resolution);
      const place = placeOf(match, here.place);
      if (place) {
        await queue.settle(value, place);
        show('location', place.name, arrivalText(place));
      } else if (match && sameAsset(value, match.id)) {
        await queue.remove(`v${value}`);
        show('duplicate', match.name, t`Already scanned`);
      } else {
        await queue.settle(value, undefined);
        if (isShown && match) show('placed', match.name, { value, asset: match, to: here.place });
        else if (isShown) show('unknown', value, notAssigned);
      }
    }

    return {
      scan: (value: string) => inTurn(() => judge(value)),
      settle: (value: string, resolution: Resolution) => inTurn(() => settle(value, resolution)),
      goTo: (location: ScanPlace) =>
        inTurn(() => {
          setFound(undefined);
          return arrive(location);
        }),
      placeFound: (location: ScanPlace) =>
        inTurn(async () => {
          if (!found?.asset) return;
          setFound(undefined);
          await queue.enqueue({ place: location, reads: [{ value: found.value }] });
          show('placed', found.asset.name, { value: found.value, asset: found.asset, to: location });
        }),
      closeFound: () => setFound(undefined),
      moveOn: () =>
        inTurn(async () => {
          if (asking.current) await moveOn(asking.current);
        }),
      takeAlong: () =>
        inTurn(async () => {
          const place = asking.current;
          const here = open();
          if (!place || !here) return;
          ask(undefined);
          if (place.is === 'container' && !here.place.is) {
            await queue.enqueue({ place: here.place, reads: [readOf(place)] });
          }
          await queue.moveTo(place);
          show('location', place.name, t`Your scans were moved here`);
        }),
      stay: () =>
        inTurn(async () => {
          const place = asking.current;
          const here = open();
          ask(undefined);
          if (place?.is !== 'container' || !here) return;
          await queue.add(readOf(place));
          show('placed', place.name, placingText({ value: '', asset: { where: null }, to: here.place }, undefined));
        }),
      stillHere: () =>
        inTurn(async () => {
          const here = open();
          if (holding.current && here) await arrive(here.place);
        }),
      reject: () => inTurn(async () => show('unknown', incompleteScan.title, incompleteScan.text)),
      undo: () =>
        inTurn(async () => {
          const last = open()?.reads.at(-1);
          if (!last) return;
          await queue.remove('value' in last ? `v${last.value}` : `a${last.assetId}`);
          show(
            'duplicate',
            'value' in last ? (assetOf(learned.current.get(last.value))?.name ?? last.value) : last.name,
            t`Removed`,
          );
        }),
    };
  }, [queue, learn, show, ask, hold, found]);

  return { outcome, found, question, held, ...act };
}

/** Returns the place that a scan names: a location, or a container, unless the person takes things out. */
function placeOf(match: Matches[number] | undefined, here: ScanPlace | undefined): ScanPlace | undefined {
  if (!match) return undefined;
  const { kind, id, name } = match;
  if (kind === 'location') return { id, name };
  return match.holds_assets && here?.is !== 'out' ? { id, name, is: 'container' } : undefined;
}

function readOf({ id, name }: ScanPlace): BatchRead {
  return { assetId: id, name };
}

function arrivalText({ is }: ScanPlace): string {
  if (is === undefined) return t`Now scan the assets here`;
  return is === 'out' ? t`Now scan what you take out` : t`Now scan what you put in`;
}

function isUnanswered(resolution: Resolution | undefined): resolution is 'unanswered' | undefined {
  return resolution === undefined || resolution === 'unanswered';
}

export function whereIs({ where, containers }: Pick<Asset, 'where' | 'containers'>): string {
  if (containers.length > 0) return t`In ${containerNames(containers)}`;
  return where ? t`Last seen in ${where.name}` : t`Never seen before`;
}

function assetOf(resolution: Resolution | undefined) {
  const match = deciding(resolution);
  return match?.kind === 'asset' ? match : undefined;
}
