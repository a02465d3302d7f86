// What the palette offers without asking the console: pages to go to, things to do, and what the typed text is as a whole.
import type { ReactNode } from 'react'
import { whyNot } from '../can.ts'
import { links } from '../links.ts'
import type { SessionState } from '../session/session-query.ts'
import { placesFor } from '../shell/places.ts'
import { words } from '../words/en.ts'

export interface Entry {
  readonly key: string
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

export interface Group {
  readonly name: string
  readonly entries: readonly Entry[]
}

type Me = SessionState['me']
type Named = Entry & { readonly label: string }

const go = words.palette

/** Pages whose names fit what was typed; all of them while nothing is. */
export function pages(me: Me, typed: string): Group {
  const places = placesFor(me).map(({ to, name }): Named => ({ key: to, label: name, to }))
  const others: readonly Named[] = [
    { key: 'inbox', label: words.nav.incidents, to: links.inbox },
    ...places,
    { key: 'pending', label: go.pending, to: '/birds/pending' },
    { key: 'factories', label: go.factories, to: links.factories },
    { key: 'profile', label: words.account.profile, to: links.profile },
    { key: 'security', label: words.account.security, to: links.security },
  ]
  return { name: go.go, entries: others.filter(({ label }) => fits(label, typed)) }
}

/** What this person may do. */
export function deeds(me: Me, typed: string): Group {
  const all: readonly (Named & { readonly isAllowed: boolean })[] = [
    {
      key: 'new bird',
      label: go.newBird,
      to: '/birds/new',
      isAllowed: whyNot(me, 'enrolments', 'create') === undefined,
    },
    {
      key: 'new token',
      label: go.newToken,
      to: links.newToken,
      isAllowed: whyNot(me, 'tokens', 'create') === undefined,
    },
    {
      key: 'import',
      label: go.importTokens,
      to: links.importTokens,
      isAllowed: whyNot(me, 'tokens', 'createMany') === undefined,
    },
    {
      key: 'new key',
      label: go.newKey,
      to: links.keys,
      isAllowed: whyNot(me, 'apiKeys', 'add') === undefined,
    },
    {
      key: 'invite',
      label: words.people.inviteTitle,
      to: links.people,
      isAllowed: whyNot(me, 'users', 'invite') === undefined,
    },
  ]
  return { name: go.do, entries: all.filter(({ label, isAllowed }) => isAllowed && fits(label, typed)) }
}

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*:[\da-f:.]*)$/i

/** A whole address or id leads there at once. */
export function jump(typed: string): Group {
  const entry = (label: string, to: string, search?: Entry['search']): Group => ({
    name: go.jump,
    entries: [{ key: 'jump', label, hint: typed, to, ...(search && { search }) }],
  })
  if (ADDRESS.test(typed)) return entry(go.source, `/sources/${encodeURIComponent(typed)}`)
  if (/^[\da-f]{16}$/.test(typed)) return entry(go.bird, `/birds/${typed}`)
  if (/^[\da-z]{25}$/.test(typed)) return entry(go.token, `/tokens/${typed}`)
  if (/^[\da-f]{32}$/.test(typed)) return entry(go.incident, links.incident(typed))
  return { name: go.jump, entries: [] }
}

/** Every typed word begins a word of the label. */
function fits(label: string, typed: string): boolean {
  const inLabel = label.toLowerCase().split(/\s+/)
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => inLabel.some((it) => it.startsWith(word)))
}
