import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithoutRef, Ref } from 'react';

/**
 * The properties of a component that shows a link: its own and the properties of an anchor. The router sets the
 * address.
 */
export type LinkedProps<Props> = Omit<Props, 'href'> &
  Omit<ComponentPropsWithoutRef<'a'>, keyof Props | 'href'> & { ref?: Ref<HTMLAnchorElement> };

function PlainAnchor(props: LinkedProps<AnchorProps>) {
  return <Anchor {...props} />;
}

function PlainButton(props: LinkedProps<ButtonProps>) {
  return <Button component="a" {...props} />;
}

function PlainMenuItem(props: LinkedProps<MenuItemProps>) {
  return <Menu.Item component="a" {...props} />;
}

function PlainNavLink(props: LinkedProps<NavLinkProps>) {
  return <NavLink component="a" {...props} />;
}

/** A link to a page of the app. The compiler checks its address, parameters and search. */
export const AnchorLink = createLink(PlainAnchor);

/** Like `AnchorLink`, with the look of a button. */
export const ButtonLink = createLink(PlainButton);

/** Like `AnchorLink`, for an entry of a menu. */
export const MenuItemLink = createLink(PlainMenuItem);

/** Like `AnchorLink`, for an entry of the navigation. */
export const NavigationLink = createLink(PlainNavLink);
