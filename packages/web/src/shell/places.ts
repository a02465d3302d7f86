// Where one can go from anywhere, for the navigation and the palette.
import { whyNot } from '../can.ts'
import { links } from '../links.ts'
import type { SessionState } from '../session/session-query.ts'
import { words } from '../words/en.ts'

export interface Place {
  readonly to: (typeof links)[
    | 'birds'
    | 'flocks'
    | 'tokens'
    | 'overview'
    | 'receivers'
    | 'ignore'
    | 'people'
    | 'audit'
    | 'keys'
    | 'settings']
  readonly name: string
  /** The path of its icon, which stands alone where the navigation is narrow. */
  readonly drawing: string
  /** It stands in the bar of a phone, which has room for three next to the incidents. */
  readonly isFirst?: true
}

export const PLACES: readonly Place[] = [
  { to: links.overview, name: words.nav.overview, drawing: 'M2 14h12M4 11V8m4 3V3m4 8V6' },
  {
    to: links.birds,
    name: words.nav.birds,
    drawing: 'M2 11c4 3 9 2 10-3l2-2-2.5-.5A3 3 0 0 0 6 6c0 2-1 4-4 5Zm3 1.5L4 15m5-2 .5 2',
    isFirst: true,
  },
  {
    to: links.tokens,
    name: words.nav.tokens,
    drawing: 'M10.5 9.5a4 4 0 1 0-3.9-3L2 11v3h3v-2h2v-2h1.5ZM11.5 4.6v.1',
    isFirst: true,
  },
  {
    to: links.flocks,
    name: words.nav.flocks,
    drawing: 'M2 4c1.5 0 2 1 2 2 0-1 .5-2 2-2m2 3c1.5 0 2 1 2 2 0-1 .5-2 2-2M3 10c1.5 0 2 1 2 2 0-1 .5-2 2-2',
  },
  {
    to: links.receivers,
    name: words.nav.receivers,
    drawing: 'M3.5 12h9L11 10V7a3 3 0 0 0-6 0v3Zm3 2h3M8 4V2',
  },
  {
    to: links.ignore,
    name: words.nav.ignore,
    drawing: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM4.2 4.2l7.6 7.6',
  },
]
const ADMINISTRATION: readonly Place[] = [
  {
    to: links.people,
    name: words.nav.people,
    drawing:
      'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-4.5 6a4.5 4.5 0 0 1 9 0M10.5 3.3a2.5 2.5 0 0 1 0 4.4M12 10a4.5 4.5 0 0 1 2.5 4',
  },
  {
    to: links.keys,
    name: words.nav.keys,
    drawing: 'M9.5 6.5a3 3 0 1 0-2.6 3L9 11.5h2V9.5l-1.6-1.6M5.4 5.9v.1M11 11.5v2h2.5v-2.4L9.7 7.3',
  },
  { to: links.audit, name: words.nav.audit, drawing: 'M4 2h8v12H4Zm2 3h4M6 8h4m-4 3h2' },
  {
    to: links.settings,
    name: words.nav.settings,
    drawing: 'M2 4.5h6m4 0h2M2 11.5h2m4 0h6M10 3v3M6 10v3',
  },
]
/** Pages of administration that this person may read: those of people and keys are for admins. */
export function administrationFor(me: SessionState['me']): readonly Place[] {
  const mayRead = whyNot(me, 'users', 'list') === undefined
  return ADMINISTRATION.filter(({ to }) => mayRead || (to !== links.people && to !== links.keys))
}

export const placesFor = (me: SessionState['me']): readonly Place[] => [...PLACES, ...administrationFor(me)]
