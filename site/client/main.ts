import '@fontsource-variable/inter/wght.css';
import './site.css';
import { followColorScheme } from './color-scheme.js';
import { addCopyButtons } from './copy-buttons.js';
import { startSearch } from './search.js';

addCopyButtons();
followColorScheme();

const search = document.getElementById('search');
if (search) startSearch(search);

document.documentElement.classList.add('scripted');

// Beside the page there is room for the contents; above it, on a phone, they are opened when they are needed.
const menu = document.querySelector<HTMLDetailsElement>('details.menu');
const isWide = matchMedia('(min-width: 60rem)');
const openWhereWide = () => {
  if (menu) menu.open = isWide.matches;
};
isWide.addEventListener('change', openWhereWide);
openWhereWide();
menu?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
