// Be the intruder once: a command to copy, and the incident arrives in the page.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { Command } from '../../kit/command.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { links } from '../../links.ts'
import { useBell } from '../../live/live-provider.tsx'
import { Problem } from '../../problem.ts'
import css from '../../shell/outside.module.css'
import { words } from '../../words/en.ts'

const commandsQuery = queryOptions({
  queryKey: ['touchCommands', 'list'],
  queryFn: async ({ signal }) => {
    try {
      return await call('touchCommands', 'list', {}, signal)
    } catch (error) {
      // A console without this operation has decoys all the same.
      if (error instanceof Problem && error.code === 'not-found') return null
      throw error
    }
  },
  // A Bird that has just been started is live a moment later.
  refetchInterval: ({ state }) =>
    state.data === null || (state.data?.birds.length ?? 0) > 0 ? false : 2_000,
})
const newestQuery = queryOptions({
  queryKey: ['incidentViews', 'rows', 'newest'],
  queryFn: ({ signal }) => call('incidentViews', 'rows', { state: 'all', limit: 1 }, signal),
})
/** Few are enough to try it. */
const MAX_COMMANDS = 3

/** `since`: the `updated_id` before which nothing counts. */
export function TouchIt({ since }: { readonly since: number }) {
  const commands = useQuery(commandsQuery)
  const newest = useQuery(newestQuery)
  useBell(() => void newest.refetch())
  const first = newest.data?.rows[0]
  const arrived = first && first.updated_id > since ? first : undefined
  if (arrived)
    return (
      <div role="status" className={css['form']}>
        <h2>{words.setup.arrived}</h2>
        <p>
          {arrived.summary} · <Evidence text={arrived.place} />
        </p>
        <p className={css['lead']}>{words.setup.arrivedLead}</p>
        <p>
          <Link to="/incidents/$hash" params={{ hash: arrived.hash_id }}>
            {words.setup.openIncident}
          </Link>
        </p>
      </div>
    )
  if (commands.isPending) return <Loading rows={2} />
  if (commands.error) return <ProblemBox error={commands.error} onRetry={() => void commands.refetch()} />
  const [bird] = commands.data?.birds ?? []
  return (
    <>
      {bird ? (
        <>
          <p className={css['lead']}>{words.setup.touchLead}</p>
          {usualFirst(bird.commands)
            .slice(0, MAX_COMMANDS)
            .map(({ service, title, command }) => (
              <Command key={service} label={title} command={command} />
            ))}
          <p role="status">{words.setup.waiting}</p>
        </>
      ) : (
        <>
          <p className={css['lead']}>{commands.data ? words.setup.noBird : words.setup.noCommands}</p>
          <p role="status">{words.setup.waiting}</p>
        </>
      )}
      <p>
        <Link to={links.inbox}>{words.setup.toInbox}</Link>
      </p>
    </>
  )
}

/** What nearly every machine has comes first. */
const USUAL = ['ssh', 'curl']

const usualFirst = <C extends { readonly command: string }>(commands: readonly C[]): C[] =>
  commands.toSorted((a, b) => rankOf(b) - rankOf(a))

const rankOf = ({ command }: { readonly command: string }): number =>
  USUAL.indexOf(command.split(' ', 1)[0] ?? '')
