// Keys of the list. They act while the list or nothing else has the focus, and letters may be switched off (WCAG 2.1.4).
import type { RefObject } from 'react'
import { copyText } from '../../kit/copy-button.tsx'
import { rawOf } from '../../kit/hostile.ts'
import { areKeysOn, isForPage, isLetter, usePageKeys } from '../../kit/keys.ts'
import { useToast } from '../../kit/toast.tsx'
import { links } from '../../links.ts'
import { words } from '../../words/en.ts'
import type { Action } from './use-actions.ts'
import { isFold, type Line } from './fold.ts'
import type { Selection } from './use-selection.ts'

interface InboxKeys {
  readonly box: RefObject<HTMLDivElement | null>
  readonly selection: Selection
  readonly lines: readonly Line[]
  readonly unfold: (source: string, isOpen?: boolean) => void
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
  const line = its.lines.find(({ id }) => id === cursor)
  const say = useToast()
  /** On a row; on a fold it folds and unfolds, or does nothing. */
  const withRow = (act: (hash: string) => void, onFold?: (source: string) => void) => () => {
    if (!line) return
    if (isFold(line)) onFold?.(line.source)
    else act(line.id)
  }
  const unfold = (isOpen: boolean) => () => {
    if (!line) return
    if (isFold(line)) its.unfold(line.source, isOpen)
    else if (line.isInside && !isOpen) selection.moveTo(`fold:${rawOf(line.row.src_host)}`)
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
    ArrowRight: unfold(true),
    ArrowLeft: unfold(false),
    x: () => line && selection.toggle(line.id),
    a: selection.selectLoaded,
    e: () => canAct.acknowledge && run('acknowledge'),
    u: () => canAct.unacknowledge && run('unacknowledge'),
    '#': () => canAct.unacknowledge && run('remove'),
    c: withRow(copyLink),
    Enter: withRow(its.open, its.unfold),
    ' ': withRow(its.peek, its.unfold),
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
