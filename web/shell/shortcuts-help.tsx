import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Kbd, Modal, Switch, Table, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useSession } from '../session/context.js';
import { entriesFor } from './navigation.js';
import { useSingleKeys } from './single-keys.js';

/** Lists the shortcuts, and switches shortcuts of a single key off for this browser. */
export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const { can } = useSession();
  const [isOn, setOn] = useSingleKeys();
  const shortcuts = [
    { keys: ['Ctrl', 'K'], text: t`Search` },
    { keys: ['/'], text: t`Search` },
    ...entriesFor(can).map(({ label, shortcut }) => ({ keys: ['g', shortcut], text: label })),
    { keys: ['n'], text: t`Create what the page lists` },
    { keys: ['j'], text: t`Next row` },
    { keys: ['k'], text: t`Previous row` },
    { keys: ['Enter'], text: t`Open the row` },
    { keys: ['?'], text: t`Keyboard shortcuts` },
  ];
  return (
    <Modal opened onClose={onClose} title={t`Keyboard shortcuts`}>
      <Switch
        label={t`Shortcuts without Ctrl`}
        description={t`Switch them off if you use speech input. Applies to this browser.`}
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
        data-autofocus
      />
      <Table mt="md" withRowBorders={false} verticalSpacing={4} aria-label={t`Keyboard shortcuts`}>
        <Table.Tbody>
          {shortcuts.map(({ keys, text }) => (
            <Table.Tr key={keys.join(' ')}>
              <Table.Td w={110}>
                {keys.map((key, index) => (
                  <Fragment key={key}>
                    {index > 0 && ' '}
                    <Kbd>{key}</Kbd>
                  </Fragment>
                ))}
              </Table.Td>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="sm">
        <Trans>Press g, then the letter of the page. Pages that expect scans have no shortcuts.</Trans>
      </Text>
    </Modal>
  );
}
