import MiniSearch from 'minisearch';
import { searchOptions } from './search-options.js';

const resultsMax = 12;

/** Searches in the browser; the index is loaded when somebody turns to the field. Slash turns to it from anywhere. */
export function startSearch(root: HTMLElement): void {
  const input = root.querySelector('input');
  const list = root.querySelector('ol');
  const status = root.querySelector('[role=status]');
  const address = root.dataset['index'];
  if (!input || !list || !status || address === undefined) return;
  let loading: Promise<MiniSearch> | undefined;

  async function load(): Promise<MiniSearch> {
    const answer = await fetch(address ?? '');
    if (!answer.ok) throw new Error(`the search index was answered with ${answer.status}`);
    return MiniSearch.loadJSON(await answer.text(), searchOptions);
  }

  async function indexed(): Promise<MiniSearch> {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      // The next letter tries again.
      loading = undefined;
      throw error;
    }
  }

  async function show(): Promise<void> {
    if (!input || !list || !status) return;
    const query = input.value.trim();
    if (query === '') {
      close();
      return;
    }
    try {
      const results = (await indexed()).search(query).slice(0, resultsMax);
      // Another letter was typed meanwhile.
      if (input.value.trim() !== query) return;
      list.replaceChildren(...results.map((result) => itemOf(result as unknown as Found)));
      list.hidden = results.length === 0;
      status.textContent = results.length === 0 ? 'No results' : `${results.length} results`;
      status.classList.toggle('hidden-text', results.length > 0);
    } catch {
      status.textContent = 'Search is not available';
      status.classList.remove('hidden-text');
    }
  }

  function close(): void {
    if (!list || !status) return;
    list.hidden = true;
    status.textContent = '';
    status.classList.add('hidden-text');
  }

  /** Moves between the field and its results. */
  function onKey(event: KeyboardEvent): void {
    const links = [...(list?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Escape') {
      input?.focus();
      close();
    } else if (event.key === 'ArrowDown') {
      links[Math.min(at + 1, links.length - 1)]?.focus();
    } else if (event.key === 'ArrowUp') {
      (at > 0 ? links[at - 1] : input)?.focus();
    } else if (event.key === 'Enter' && document.activeElement === input) {
      links[0]?.click();
    } else {
      return;
    }
    event.preventDefault();
  }

  input.addEventListener('focus', () => void indexed().catch(() => {}));
  input.addEventListener('input', () => void show());
  root.addEventListener('keydown', onKey);
  list.addEventListener('click', close);
  document.addEventListener('click', (event) => {
    if (!root.contains(event.target as Node)) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || document.activeElement === input) return;
    event.preventDefault();
    input.focus();
  });
  root.hidden = false;
}

type Found = Readonly<Record<'id' | 'title' | 'page' | 'excerpt', string>>;

/** Texts come from the index as text, never as HTML. */
function itemOf({ id, title, page, excerpt }: Found): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = id;
  const heading = document.createElement('strong');
  heading.textContent = title === page ? title : `${page} › ${title}`;
  const text = document.createElement('span');
  text.textContent = excerpt;
  link.append(heading, text);
  item.append(link);
  return item;
}
