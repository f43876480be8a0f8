import { t } from '@lingui/core/macro';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { auditReadsMax } from '../../../scanning/batch.js';
import type { Resolution } from '../../../scanning/resolver.js';
import { ownerOf } from '../../../session/owner.js';
import { createScanSounds } from '../../../scanning/scan-sounds.js';
import { useResolver } from '../../../scanning/use-scan-queue.js';
import { useSession } from '../../../session/context.js';
import { type Audit, createExpectedIndex, type Expected, judge, type Sighting } from './audit-model.js';
import { unexpectedText } from './audit-texts.js';
import { type AuditStore, changeAudit, openAuditStore } from './audit-store.js';

/** The result of the last scan. `no` distinguishes two equal results. */
export type LastScan = { no: number; color: string; title: string; text: string };

export type AuditState = {
  audit: Audit | undefined;
  /**
   * `loading` until it is known whether this device has stored an audit, `unavailable` if the browser stores nothing.
   */
  status: 'loading' | 'ready' | 'unavailable';
  resolutions: ReadonlyMap<string, Resolution>;
  last: LastScan | undefined;
  scan: (value: string) => void;
  tick: (asset: Expected) => void;
  undo: () => void;
  /** Deletes the audit from this device. */
  discard: () => Promise<void>;
};

type AuditLocation = { id: number; name: string };

/** Returns an audit of a location. Every scan is stored on the device before anything else happens with it. */
export function useAudit(location: AuditLocation, expected: readonly Expected[] | undefined): AuditState {
  const owner = ownerOf(useSession());
  const resolver = useResolver();
  const id = `${owner}/${location.id}`;
  const [kept, setKept] = useState<Audit>();
  const [status, setStatus] = useState<AuditState['status']>('loading');
  const [resolutions, setResolutions] = useState<ReadonlyMap<string, Resolution>>(new Map());
  const [last, setLast] = useState<LastScan>();
  const [sounds] = useState(createScanSounds);
  const store = useRef<Promise<AuditStore>>(undefined);
  const turn = useRef<Promise<unknown>>(Promise.resolve());

  const learn = useCallback(
    async (value: string): Promise<Resolution> => {
      const resolution = await resolver.resolve(value);
      setResolutions((known) => new Map(known).set(value, resolution));
      return resolution;
    },
    [resolver],
  );

  useEffect(() => {
    const opening = openAuditStore();
    store.current = opening;
    let isGone = false;
    const load = async () => {
      try {
        const audit = await (await opening).get('audits', id);
        if (isGone) return;
        setKept(audit);
        setStatus('ready');
        for (const sighting of audit?.sightings ?? []) if ('value' in sighting) void learn(sighting.value);
      } catch {
        if (!isGone) setStatus('unavailable');
      }
    };
    void load();
    return () => {
      isGone = true;
      sounds.stop();
      void opening.then((opened) => opened.close()).catch(() => {});
    };
  }, [id, learn, sounds]);

  // Failed lookups are repeated once there is a network again.
  useEffect(() => {
    const askAgain = () => {
      for (const [value, resolution] of resolutions) if (resolution === 'unanswered') void learn(value);
    };
    window.addEventListener('online', askAgain);
    return () => window.removeEventListener('online', askAgain);
  }, [resolutions, learn]);

  const find = useMemo(() => createExpectedIndex(kept?.expected ?? expected ?? []), [kept, expected]);

  const show = useCallback(
    (sound: Parameters<typeof sounds.play>[0], shown: Omit<LastScan, 'no'>) => {
      sounds.play(sound);
      setLast((before) => ({ ...shown, no: (before?.no ?? 0) + 1 }));
    },
    [sounds],
  );

  const change = useCallback(
    (alter: (sightings: Sighting[]) => Sighting[] | null) => {
      const begin = (): Audit => ({
        id,
        owner,
        place: location,
        startedAt: new Date().toISOString(),
        expected: [...(expected ?? [])],
        sightings: [],
      });
      const next = turn.current.then(async () => {
        const opened = await store.current;
        if (!opened) throw new Error('the device keeps nothing');
        const after = await changeAudit(opened, { id, begin }, (audit) => {
          const sightings = alter(audit.sightings);
          return sightings && { ...audit, sightings };
        });
        setKept(after);
      });
      turn.current = next.catch(() => setStatus('unavailable'));
      return next;
    },
    [id, owner, location, expected],
  );

  async function scan(value: string): Promise<void> {
    if (kept === undefined && expected === undefined) {
      show('unknown', { color: 'red', title: t`Not ready`, text: t`The list of expected assets is still loading.` });
      return;
    }
    if ((kept?.sightings.length ?? 0) >= auditReadsMax) {
      show('unknown', { color: 'red', title: t`This audit is full`, text: t`Save it, then start another one.` });
      return;
    }
    let isNew = false;
    await change((sightings) => {
      isNew = !sightings.some((sighting) => 'value' in sighting && sighting.value === value);
      return isNew ? [...sightings, { value }] : null;
    });
    if (!isNew) {
      show('duplicate', { color: 'gray', title: find(value)?.name ?? value, text: t`Already scanned` });
      return;
    }
    const here = find(value);
    if (here) show('placed', { color: 'green', title: here.name, text: t`Found` });
    const resolution = await learn(value);
    if (!here) showOther(value, resolution);
  }

  function showOther(value: string, resolution: Resolution): void {
    const judgment = judge(undefined, resolution);
    switch (judgment.kind) {
      case 'unexpected': {
        const { asset, whereName, belongsTo } = judgment;
        const isExpected = kept?.expected.some(({ id: expectedId }) => expectedId === asset.id) ?? false;
        if (isExpected) show('placed', { color: 'green', title: asset.name, text: t`Found` });
        else
          show('waiting', {
            color: 'orange',
            title: asset.name,
            text: unexpectedText(whereName, belongsTo),
          });
        return;
      }
      case 'location':
        show('location', {
          color: 'blue',
          title: judgment.name,
          text: t`This is a location’s tag. It isn’t counted.`,
        });
        return;
      case 'unanswered':
        show('waiting', { color: 'blue', title: value, text: t`Will be identified when online` });
        return;
      default:
        show('unknown', { color: 'red', title: value, text: t`Unknown tag` });
    }
  }

  return {
    audit: kept,
    status,
    resolutions,
    last,
    scan: (value) => void scan(value).catch(() => {}),
    tick: (asset) => void change((sightings) => [...sightings, { assetId: asset.id }]).catch(() => {}),
    undo: () => {
      setLast(undefined);
      void change((sightings) => (sightings.length === 0 ? null : sightings.slice(0, -1))).catch(() => {});
    },
    async discard() {
      await turn.current;
      await (await store.current)?.delete('audits', id);
      setKept(undefined);
      setLast(undefined);
    },
  };
}
