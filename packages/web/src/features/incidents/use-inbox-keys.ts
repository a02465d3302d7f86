// Keys of the list. They act while the list or nothing else has the focus, and letters may be switched off (WCAG 2.1.4).
import type { RefObject } from 'react'
import { copyText } from '../../kit/copy-button.tsx'
import { areKeysOn, isForPage, isLetter, usePageKeys } from '../../kit/keys.ts'
import { useToast } from '../../kit/toast.tsx'
import { links } from '../../links.ts'
import { words } from '../../words/en.ts'
import type { Action } from './use-actions.ts'
import type { Selection } from './use-selection.ts'

interface InboxKeys {
  readonly box: RefObject<HTMLDivElement | null>
  readonly selection: Selection
  readonly run: (action: Action) => void
  readonly open: (hash: string) => void
  readonly peek: (hash: string) => void
  readonly closePeek: (() => void) | undefined
  readonly undo: () => void
  readonly showWaiting: () => void
  readonly canAct: { readonly acknowledge: boolean; readonly unacknowledge: boolean }
}

export function useInboxKeys(its: InboxKeys) {
  const { box, selection, run, canAct } = its
  const { cursor } = selection
  const say = useToast()
  const withCursor = (act: (hash: string) => void) => () => {
    if (cursor !== undefined) act(cursor)
  }
  const copyLink = (hash: string) => {
    copyText(`${location.origin}${links.incident(hash)}`).then(
      (isCopied) => say({ text: isCopied ? words.incident.linkCopied : words.incident.linkNotCopied }),
      () => say({ text: words.incident.linkNotCopied }),
    )
  }
  const ofList: Readonly<Record<string, () => void>> = {
    j: () => selection.move(1, false),
    ArrowDown: () => selection.move(1, false),
    k: () => selection.move(-1, false),
    ArrowUp: () => selection.move(-1, false),
    J: () => selection.move(1, true),
    K: () => selection.move(-1, true),
    Home: () => selection.moveTo('first'),
    End: () => selection.moveTo('last'),
    x: withCursor(selection.toggle),
    a: selection.selectLoaded,
    e: () => canAct.acknowledge && run('acknowledge'),
    u: () => canAct.unacknowledge && run('unacknowledge'),
    '#': () => canAct.unacknowledge && run('remove'),
    c: withCursor(copyLink),
    Enter: withCursor(its.open),
    ' ': withCursor(its.peek),
  }
  const ofPage: Readonly<Record<string, () => void>> = {
    z: its.undo,
    '.': its.showWaiting,
    Escape: () => (its.closePeek ? its.closePeek() : selection.clear()),
  }
  usePageKeys((event) => {
    if (!isForPage(event) || (isLetter(event) && !areKeysOn())) return
    const isOfList = Object.hasOwn(ofList, event.key)
    const act = isOfList
      ? ofList[event.key]
      : Object.hasOwn(ofPage, event.key)
        ? ofPage[event.key]
        : undefined
    // Space and Home on the heading scroll; letters there go to the list.
    if (!act || (isOfList && event.target !== box.current && event.key.length !== 1)) return
    event.preventDefault()
    if (isOfList) box.current?.focus()
    act()
  })
}
