// Every operation with who may call it: folded from role and reach, so that a new one is in it by itself.
import type { Group, Operation } from '@rookery/contract/operation.ts'
import { code, page, stacked, table, type Page } from './markdown.ts'

export function reachPage(groups: Readonly<Record<string, Group>>): Page {
  const rows = Object.values(groups).flatMap((group) =>
    Object.values(group).map((operation) => [
      code(`${operation.method} ${operation.path}`),
      operation.role,
      operation.reach,
      watcher(operation),
      manager(operation),
    ]),
  )
  return page(
    'reach.md',
    'Who may call what',
    'Every operation with its least role, its reach, and who may call it.',
    [
      stacked(
        'The role is the least type of a key. An operation of the reach `flock` reads and changes what lies in Flocks: a key or a person limited to some gets those alone. One of the reach `console` is refused (403) to both. What reaches `everybody` is the same for all, or one’s own.',
        'An admin may call everything that needs no factory key. A watcher of a Flock reads there; a manager reads and changes there. A key limited to a Flock may do there what its type says.',
        table(['Operation', 'Role', 'Reach', 'A watcher', 'A manager'], rows),
      ),
    ],
  )
}

/** What a person reads. A GET that needs an admin reveals secrets: a manager of the Flock may read them. */
function watcher({ method, role, reach }: Operation): string {
  if (role === 'nobody' || role === 'person') return 'yes'
  if (reach === 'console' || method !== 'GET' || role === 'admin' || role === 'factory') return 'no'
  return reach === 'flock' ? 'Flocks watched' : 'yes'
}

function manager(operation: Operation): string {
  const asWatcher = watcher(operation)
  if (operation.reach === 'console') return 'no'
  if (asWatcher === 'yes') return 'yes'
  return asWatcher === 'no' ? 'Flocks managed' : 'Flocks managed or watched'
}
