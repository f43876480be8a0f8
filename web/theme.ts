import { t } from '@lingui/core/macro';
import {
  ActionIcon,
  Badge,
  createTheme,
  darken,
  type CSSVariablesResolver,
  Drawer,
  Menu,
  Modal,
  Notification,
  type MantineColorsTuple,
  Table,
  Tooltip,
} from '@mantine/core';

/** The one color of the product: a calm blue-green. */
const petrol: MantineColorsTuple = [
  '#eaf6f8',
  '#d5eaee',
  '#a9d4dc',
  '#79bdca',
  '#53a9ba',
  '#3b9db0',
  '#2a8295',
  '#176f82',
  '#0b5f70',
  '#004f5f',
];

const slate: MantineColorsTuple = [
  '#f6f8f9',
  '#eceff1',
  '#dde2e5',
  '#c8d0d4',
  '#a7b2b8',
  '#84929a',
  '#66757e',
  '#4c5a63',
  '#333f47',
  '#1f292f',
];

const night: MantineColorsTuple = [
  '#e3e8ea',
  '#c3cbcf',
  '#a5afb4',
  '#7f8b91',
  '#3b474d',
  '#313c42',
  '#263036',
  '#1c2529',
  '#151c20',
  '#0e1417',
];

const ownColors = { petrol, gray: slate, dark: night };

/** The page has one banner. The library would make the heading of a dialog another banner. */
const noBanner = { header: { role: 'none' } };

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 7 },
  colors: ownColors,
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '640' },
  components: {
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 550, miw: 'max-content' } }),
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: { 'aria-label': t`Close` }, attributes: noBanner } }),
    // The placeholder is not a menu item, and a menu may have no other elements.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': t`Close` }, attributes: noBanner },
    }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': t`Close` } } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'md' } }),
    Tooltip: Tooltip.extend({
      defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: true } },
    }),
  },
});

const accents = ['petrol', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'grape', 'pink', 'gray'];

/** The contrast of the library's dimmed texts is too low for WCAG AA; here it is increased in both color schemes. */
export const cssVariables: CSSVariablesResolver = (resolved) => {
  const light: Record<string, string> = {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#52616a',
    '--mantine-color-placeholder': '#66757e',
    '--mantine-color-error': '#c0272d',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--whereabouts-canvas': '#f6f8f9',
    '--whereabouts-line': '#dde2e5',
    '--whereabouts-fresh': '#d5eaee',
    '--whereabouts-selected': '#d5eaee',
    '--whereabouts-selected-text': '#00404d',
  };
  const dark: Record<string, string> = {
    '--mantine-color-body': '#1c2529',
    '--mantine-color-text': '#dce3e6',
    '--mantine-color-dimmed': '#a5afb4',
    '--mantine-color-placeholder': '#95a1a7',
    '--mantine-color-error': '#ff9c9c',
    '--mantine-color-anchor': '#79bdca',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--whereabouts-canvas': '#151c20',
    '--whereabouts-line': '#313c42',
    '--whereabouts-fresh': '#1d4650',
    '--whereabouts-selected': '#1d4650',
    '--whereabouts-selected-text': '#e6f5f8',
  };
  for (const name of accents) {
    const shades = resolved.colors[name];
    // Even the darkest shade of the library's own colors is too light for text on the second lightest shade.
    const own = name in ownColors;
    const text = shades?.[9] === undefined ? 'inherit' : own ? shades[9] : darken(shades[9], 0.3);
    light[`--mantine-color-${name}-light-color`] = text;
    light[`--mantine-color-${name}-text`] = text;
    dark[`--mantine-color-${name}-light-color`] = shades?.[2] ?? 'inherit';
    dark[`--mantine-color-${name}-text`] = shades?.[3] ?? 'inherit';
  }
  return { variables: {}, light, dark };
};
