// The palette: one field that goes to pages, does things, and finds Birds, tokens, incidents, sources and people.
import { Dialog } from '@base-ui/react/dialog'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { links } from '../links.ts'
import { sessionQuery } from '../session/session-query.ts'
import dialogCss from '../shell/dialog.module.css'
import { words } from '../words/en.ts'
import { deeds, jump, pages, type Entry, type Group } from './entries.ts'
import css from './palette.module.css'
import { useFound } from './use-found.tsx'

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const { me } = useSuspenseQuery(sessionQuery).data
  const [text, setText] = useState('')
  /** Where the arrows went; the first entry until they do, so that what is found later moves nothing under a finger. */
  const [chosen, setChosen] = useState<string>()
  const typed = text.trim()
  const found = useFound(typed)
  const groups = [jump(typed), pages(me, typed), deeds(me, typed), ...found.groups, everywhere(typed)].filter(
    ({ entries }) => entries.length > 0,
  )
  const entries = groups.flatMap(({ entries }) => entries)
  const at = Math.max(
    0,
    entries.findIndex(({ key }) => key === chosen),
  )
  const active = entries[at]
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.key])

  const open = ({ to, search = {} }: Entry) => {
    onClose()
    void navigate({ to, search } as never)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setChosen(entries.at((at + step) % entries.length)?.key)
    else if (event.key === 'Enter' && active) open(active)
    else return
    event.preventDefault()
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogCss['backdrop']} />
        <Dialog.Popup className={css['palette']} aria-label={words.palette.title}>
          <input
            autoFocus
            className={css['field']}
            type="text"
            role="combobox"
            maxLength={255}
            aria-label={words.palette.title}
            placeholder={words.palette.hint}
            aria-expanded="true"
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={active && `${id}-${at}`}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setChosen(undefined)
            }}
            onKeyDown={onKeyDown}
          />
          <div ref={list} role="listbox" id={id} aria-label={words.palette.results} className={css['list']}>
            {groups.map((group) => (
              <GroupOf
                key={group.name}
                group={group}
                active={active}
                idOf={(entry) => `${id}-${entries.indexOf(entry)}`}
                onOpen={open}
              />
            ))}
          </div>
          <p role="status" className={css['state']}>
            {found.hasFailed
              ? words.palette.failed
              : found.isAsking
                ? words.palette.asking
                : words.palette.keys}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface GroupOfProps {
  readonly group: Group
  readonly active: Entry | undefined
  readonly idOf: (entry: Entry) => string
  readonly onOpen: (entry: Entry) => void
}

function GroupOf({ group, active, idOf, onOpen }: GroupOfProps) {
  return (
    <div role="group" aria-label={group.name}>
      <p role="presentation" className={css['name']}>
        {group.name}
      </p>
      {group.entries.map((entry) => (
        <div
          key={entry.key}
          id={idOf(entry)}
          role="option"
          aria-selected={entry === active}
          className={css['entry']}
          onClick={() => onOpen(entry)}
        >
          <span className={css['label']}>{entry.label}</span>
          {entry.hint !== undefined && <span className={css['hint']}>{entry.hint}</span>}
        </div>
      ))}
    </div>
  )
}

/** The last entry: the inbox with this text as its filter. */
const everywhere = (typed: string): Group => ({
  name: words.nav.search,
  entries:
    typed === ''
      ? []
      : [
          {
            key: 'everywhere',
            label: words.nav.searchHint,
            hint: typed,
            to: links.inbox,
            search: { q: typed, state: 'all' },
          },
        ],
})
