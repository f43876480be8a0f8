import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Combobox, Group, Kbd, Loader, Modal, Pill, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAntenna, IconArrowRight, IconBox, IconMap2, IconMapPin, IconSearch, IconTable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isOffline, problemOf } from '../api/errors.js';
import { matching } from '../offline/seen-assets.js';
import { useSeenAssets } from '../offline/use-seen-assets.js';
import { ownerOf } from '../session/owner.js';
import { planHash, texts as planTexts } from '../plans/texts.js';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { KindPicture } from '../kinds/kind-picture.js';
import type { AssetSearch } from '../pages/assets/search.js';
import { useSession } from '../session/context.js';
import { useImage } from '../api/use-image.js';
import { SeenWhen } from '../ui/seen-when.js';
import { UseBadge } from '../kinds/use-badge.js';
import { PathText } from '../ui/path-text.js';
import { UserText } from '../ui/user-text.js';
import { commandsFor } from './commands.js';
import { NearLine, useNear } from './near.js';
import {
  assetGroup,
  groupsOf,
  kindGroup,
  lastKnownGroup,
  type Option,
  type OptionGroup,
  type Target,
} from './options.js';
import classes from './palette.module.css';
import { type Phrase, phrasesOf, withoutPhrase } from './phrases.js';
import { readRecents, rememberRecent } from './recents.js';

const typingPauseMs = 120;

/** Assets that are shown for a text with filters. */
const filteredMax = 8;

const pictures = {
  asset: IconBox,
  assets: IconTable,
  location: IconMapPin,
  plan: IconMap2,
  reader: IconAntenna,
  page: IconArrowRight,
};

/**
 * Finds assets, locations, tags, readers and floor plans by words of their names, and opens them. Also opens pages and
 * tasks.
 */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} centered={false} yOffset="12dvh" size="lg">
      <Modal.Overlay />
      <Modal.Content aria-label={t`Search`}>
        <Modal.Body p={0}>
          <Search onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const go = useGo(onClose);
  const session = useSession();
  const { organization, can } = session;
  const [text, setText] = useState('');
  /** Whether Enter came before the answer, as from a scanner. */
  const [isWaitingToGo, setWaitingToGo] = useState(false);
  const q = text.trim();
  const [asked] = useDebouncedValue(q, typingPauseMs);
  const [near, chooseNear] = useNear();
  const { chips, filtered, isKnown, isNear } = useFilters(asked);
  const order = near === undefined ? {} : { near: near.id };
  const kinds = useQuery({ ...trpc.assetKinds.list.queryOptions(), enabled: asked !== '' });
  const everything = useQuery({
    ...trpc.search.everything.queryOptions({ q: asked, plan_title: planTexts.title, ...order }),
    enabled: asked !== '',
    placeholderData: (before) => before,
  });
  const filteredAssets = useQuery({
    ...trpc.assets.table.queryOptions({ ...filtered, ...order, sort: 'name', limit: filteredMax }),
    enabled: filtered !== undefined,
  });
  const search = filtered ? filteredAssets : everything;
  const isCurrent = asked === q && isKnown && !search.isPlaceholderData && !search.isFetching;
  let found: OptionGroup[] = [];
  if (q === '') found = recentsOf(organization.id);
  else if (filtered) found = filteredGroups({ ...filtered, ...order }, filteredAssets.data);
  else if (everything.data && asked !== '') {
    found = [...groupsOf(everything.data, { q, ...order }), ...kindGroup(kinds.data?.data ?? [], q)];
  }
  const isLost = q !== '' && isOffline(search.failureReason);
  const lastKnown = useSeenAssets(ownerOf(session), isLost);
  if (isLost) found = lastKnownGroup(matching(lastKnown ?? [], q));
  const groups = withCommands(found, { q, commands: commandsFor(q, can) });
  const options = groups.flatMap((group) => group.options);
  const first = options[0];
  const keys = options.map(({ key }) => key).join(' ');
  const combobox = useCombobox({ opened: true });
  const { selectFirstOption, resetSelectedOption } = combobox;

  useEffect(() => {
    if (keys === '') resetSelectedOption();
    else selectFirstOption();
  }, [keys, selectFirstOption, resetSelectedOption]);

  useEffect(() => {
    if (isWaitingToGo && isCurrent && first) go(first);
  }, [isWaitingToGo, isCurrent, first, go]);

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(key) => {
        const chosen = options.find((option) => option.key === key);
        if (chosen) go(chosen);
      }}
    >
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          size="md"
          variant="unstyled"
          className={classes['field']}
          aria-label={t`Search assets, locations, tags and readers`}
          placeholder={t`Name, key, path or tag ID; “in Ward 3A”`}
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={search.isFetching ? <Loader size={16} /> : null}
          value={text}
          maxLength={255}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWaitingToGo(false);
          }}
          onKeyDownCapture={(event) => {
            // The list would keep the key from the dialog.
            if (event.key === 'Escape') onClose();
            if (event.key !== 'Enter' || q === '' || isCurrent) return;
            event.preventDefault();
            event.stopPropagation();
            setWaitingToGo(true);
          }}
        />
      </Combobox.EventsTarget>
      {chips.length > 0 && (
        <Group gap="xs" px={14} pt={8}>
          {chips.map(({ phrase, label }) => (
            <Pill
              key={phrase.kind}
              size="md"
              withRemoveButton
              onRemove={() => setText(withoutPhrase(q, phrase))}
              removeButtonProps={{ 'aria-label': t`Remove filter ${label}`, 'aria-hidden': false, tabIndex: 0 }}
            >
              <UserText>{label}</UserText>
            </Pill>
          ))}
        </Group>
      )}
      {(isNear || (near !== undefined && q !== '')) && <NearLine near={near} onChoose={chooseNear} />}
      <Combobox.Options className={classes['options']} aria-label={t`Results`} tabIndex={-1}>
        <Groups groups={groups} />
        {options.length === 0 && (
          <Combobox.Empty>
            <Said
              q={q}
              isCurrent={isCurrent}
              error={search.error}
              isFreeUnknown={filtered !== undefined && filteredAssets.data?.has_free_locations === false}
            />
          </Combobox.Empty>
        )}
      </Combobox.Options>
      <Hints />
    </Combobox>
  );
}

type Chip = { phrase: Phrase; label: string };

type FilteredAssets = Pick<AssetSearch, 'q' | 'location_id' | 'unseen_days' | 'free' | 'near'>;

/** `isNear` if the text asks for nearby assets. */
type Filters = { chips: Chip[]; filtered: FilteredAssets | undefined; isKnown: boolean; isNear: boolean };

/** Returns the filters in a text; a location that is not found stays a part of the text. */
function useFilters(text: string): Filters {
  const trpc = useTRPC();
  const { phrases, rest } = phrasesOf(text);
  const named = phrases.find((phrase) => phrase.kind === 'place');
  const unseen = phrases.find((phrase) => phrase.kind === 'unseen');
  const free = phrases.find((phrase) => phrase.kind === 'free');
  const isNear = phrases.some((phrase) => phrase.kind === 'near');
  const places = useQuery({
    ...trpc.search.everything.queryOptions({ q: named?.place ?? '' }),
    enabled: named !== undefined,
  });
  const place = named && places.data?.locations[0];
  const chips: Chip[] = [];
  if (place) chips.push({ phrase: named, label: t`In ${place.name}` });
  if (free) chips.push({ phrase: free, label: t`Free` });
  if (unseen) chips.push({ phrase: unseen, label: unseenText(unseen.days) });
  const isKnown = named === undefined || !places.isFetching;
  if ((chips.length === 0 && !isNear) || !isKnown) return { chips: [], filtered: undefined, isKnown, isNear };
  // A phrase that does not name a location stays a part of the text.
  const understood = phrases.filter((phrase) => phrase.kind !== 'place' || place);
  const q = named && !place ? understood.reduce(withoutPhrase, text) : rest;
  const filtered = {
    ...(q === '' ? {} : { q }),
    ...(place ? { location_id: place.id } : {}),
    ...(free ? { free: true as const } : {}),
    ...(unseen ? { unseen_days: unseen.days } : {}),
  };
  return { chips, filtered, isKnown, isNear };
}

function unseenText(days: number): string {
  return plural(days, { one: 'Not seen for # day', other: 'Not seen for # days' });
}

function filteredGroups(filtered: FilteredAssets, found: Outputs['assets']['table'] | undefined): OptionGroup[] {
  if (!found || found.data.length === 0) return [];
  return [assetGroup(found.data, { search: filtered, count: found.total_count, isExact: found.total_is_exact })];
}

/** Adds commands after the results, or before them if the text begins a command. */
function withCommands(
  found: readonly OptionGroup[],
  { q, commands }: { q: string; commands: Option[] },
): readonly OptionGroup[] {
  const known = new Set(found.flatMap(({ options }) => options.map(({ key }) => key)));
  const options = commands.filter(({ key }) => !known.has(key));
  const [first] = options;
  if (!first) return found;
  const group = { label: t`Commands`, options };
  const isMeant = q !== '' && first.label.toLowerCase().startsWith(q.toLowerCase());
  return isMeant ? [group, ...found] : [...found, group];
}

function recentsOf(organizationId: number): OptionGroup[] {
  const options = readRecents(organizationId);
  return options.length === 0 ? [] : [{ label: t`Recent`, options }];
}

function useGo(onClose: () => void) {
  const router = useRouter();
  const { organization, can } = useSession();
  const isAdmin = can('admin');
  const [go] = useState(() => (option: Option) => {
    rememberRecent(organization.id, option);
    onClose();
    void router.navigate(addressOf(option.to, isAdmin));
  });
  return go;
}

/** Returns the page of a result; for a reader, the list if the person may not open its page. */
function addressOf(target: Target, isAdmin: boolean) {
  switch (target.kind) {
    case 'page': {
      const [to, hash] = target.path.split('#');
      return { to: to ?? '/', ...(hash !== undefined && { hash }) } as const;
    }
    case 'assets':
      return { to: '/assets', search: target.search } as const;
    case 'asset':
      return { to: '/assets/$assetId', params: { assetId: String(target.id) } } as const;
    case 'location':
      return { to: '/locations/$locationId', params: { locationId: String(target.id) } } as const;
    case 'plan':
      return { to: '/locations/$locationId', params: { locationId: String(target.id) }, hash: planHash } as const;
    case 'reader':
      if (!isAdmin) return { to: '/readers', search: { q: target.name } } as const;
      return { to: '/readers/$readerId', params: { readerId: String(target.id) } } as const;
  }
}

function Groups({ groups }: { groups: readonly OptionGroup[] }) {
  return groups.map(({ label, options }) => (
    <Combobox.Group key={label} label={label}>
      {options.map((option) => {
        const Picture = pictures[option.to.kind];
        return (
          <Combobox.Option key={option.key} value={option.key} className={classes['option'] ?? ''}>
            {option.asset?.kind && !option.asset.photoId ? (
              <KindPicture kind={option.asset.kind} size={24} />
            ) : option.asset?.photoId ? (
              <Photo imageId={option.asset.photoId} />
            ) : (
              <Picture size={18} stroke={1.6} aria-hidden className={classes['picture'] ?? ''} />
            )}
            <span className={classes['words']}>
              <UserText lines={1}>{option.label}</UserText>
              {option.detail !== '' && (
                <Text size="xs" component="span" className={classes['detail'] ?? ''}>
                  <UserText lines={1}>{option.detail}</UserText>
                </Text>
              )}
              {option.asset && (
                <Text size="xs" component="span" className={classes['where'] ?? ''}>
                  <Place path={option.asset.path} />
                  <UseBadge asset={option.asset.use} size="sm" />
                  <span className={classes['when']}>
                    <SeenWhen at={option.asset.seen} placement={option.asset.placement} never={t`Never seen`} />
                  </span>
                </Text>
              )}
            </span>
          </Combobox.Option>
        );
      })}
    </Combobox.Group>
  ));
}

/** The location first, then the small path to it, of which the end is visible. */
function Place({ path }: { path: readonly string[] }) {
  const place = path.at(-1);
  if (place === undefined) return null;
  return (
    <span className={classes['place']}>
      <span className={classes['room']}>
        <UserText lines={1}>{place}</UserText>
      </span>
      {path.length > 1 && (
        <span className={classes['path']}>
          <PathText names={path.slice(0, -1)} />
        </span>
      )}
    </span>
  );
}

function Photo({ imageId }: { imageId: number }) {
  const { url } = useImage(imageId, 'thumbnail');
  return url ? <img src={url} alt="" className={classes['photo']} /> : <span className={classes['photo']} />;
}

type SaidProps = { q: string; isCurrent: boolean; error: unknown; isFreeUnknown: boolean };

function Said({ q, isCurrent, error, isFreeUnknown }: SaidProps) {
  if (q === '') return t`Search by name, key, path or tag ID.`;
  if (error !== null) return `${problemOf(error).title}. ${problemOf(error).detail}`;
  if (!isCurrent) return t`Searching …`;
  if (isFreeUnknown) {
    return t`No location is marked as one whose assets are free to use. Managers mark them on the pages of locations.`;
  }
  return t`No results`;
}

function Hints() {
  return (
    <Group gap="md" className={classes['hints'] ?? ''} visibleFrom="sm" aria-hidden>
      <span>
        <Trans>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> select
        </Trans>
      </span>
      <span>
        <Trans>
          <Kbd size="xs">Enter</Kbd> open
        </Trans>
      </span>
      <span>
        <Trans>
          <Kbd size="xs">Esc</Kbd> close
        </Trans>
      </span>
    </Group>
  );
}
