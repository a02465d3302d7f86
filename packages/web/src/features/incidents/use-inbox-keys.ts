// Keys of the list, while it has the focus (WCAG 2.1.4): a letter typed elsewhere does nothing.
import type { KeyboardEvent } from 'react'
import type { Action } from './use-actions.ts'
import type { Selection } from './use-selection.ts'

interface InboxKeys {
  readonly selection: Selection
  readonly run: (action: Action) => void
  readonly open: (hash: string) => void
  readonly peek: (hash: string) => void
  readonly undo: () => void
  readonly showWaiting: () => void
  readonly canAct: { readonly acknowledge: boolean; readonly unacknowledge: boolean }
}

export function useInboxKeys({ selection, run, open, peek, undo, showWaiting, canAct }: InboxKeys) {
  const { cursor } = selection
  const withCursor = (act: (hash: string) => void) => () => {
    if (cursor !== undefined) act(cursor)
  }
  const keys: Readonly<Record<string, () => void>> = {
    j: () => selection.move(1, false),
    ArrowDown: () => selection.move(1, false),
    k: () => selection.move(-1, false),
    ArrowUp: () => selection.move(-1, false),
    J: () => selection.move(1, true),
    K: () => selection.move(-1, true),
    x: withCursor(selection.toggle),
    a: selection.selectLoaded,
    e: () => canAct.acknowledge && run('acknowledge'),
    u: () => canAct.unacknowledge && run('unacknowledge'),
    '#': () => canAct.unacknowledge && run('remove'),
    z: undo,
    '.': showWaiting,
    Enter: withCursor(open),
    ' ': withCursor(peek),
    Escape: selection.clear,
    '/': () => document.querySelector<HTMLInputElement>('[data-filter]')?.focus(),
  }
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (!act) return
    event.preventDefault()
    act()
  }
}
