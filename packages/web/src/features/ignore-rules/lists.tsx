// The lists with lines: of the console, and of a Flock.
import { useId } from 'react'
import { useMutation, useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import birds from '../birds/birds.module.css'
import css from './ignore.module.css'
import { Editor } from './editor.tsx'
import { consoleListsQuery, flockListQuery, type ConsoleList } from './queries.ts'
import { ignoreWords } from './words.ts'

const { page: said } = ignoreWords
const SWITCHES = {
  ip: ['enableIps', 'disableIps'],
  hostname: ['enableHostNames', 'disableHostNames'],
  src_port: ['enableSourcePorts', 'disableSourcePorts'],
  annotation: ['enableAnnotations', 'disableAnnotations'],
} as const satisfies Record<ConsoleList, readonly [string, string]>
const REPLACE = {
  ip: (text: string, force: boolean) =>
    call('consoleIgnoreLists', 'replaceIps', { whitelist_ips: text, clear: text === '', force }),
  hostname: (text: string) =>
    call('consoleIgnoreLists', 'replaceHostNames', { hostnames: text, clear: text === '' }),
  src_port: (text: string, force: boolean) =>
    call('consoleIgnoreLists', 'replaceSourcePortIps', {
      ignorelist_src_port_ips: text,
      clear: text === '',
      force,
    }),
}

/** A change of a list, after which it is read anew. */
function useChange<T>(queryKey: QueryKey, mutationFn: (given: T) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey }) })
}

export function Enabled({ list, isOn }: { readonly list: ConsoleList; readonly isOn: boolean }) {
  const [enable, disable] = SWITCHES[list]
  const { mutate, error, isPending, variables } = useChange(['consoleIgnoreLists'], (on: boolean) =>
    call('consoleIgnoreLists', on ? enable : disable, {}),
  )
  return (
    <div className={css['switches']}>
      <label>
        <input
          type="checkbox"
          checked={isPending ? variables : isOn}
          onChange={(event) => mutate(event.target.checked)}
        />
        {said.enabled}
      </label>
      {error && <ProblemBox error={error} />}
    </div>
  )
}

export function ConsoleLines({ list }: { readonly list: Exclude<ConsoleList, 'annotation'> }) {
  const { data, error, isPending, refetch } = useQuery(consoleListsQuery)
  const queries = useQueryClient()
  if (isPending) return <Loading rows={3} />
  if (!data) return <ProblemBox error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Enabled list={list} isOn={data[list].is_enabled} />
      <p className={birds['quiet']}>{said.help[list]}</p>
      <Editor
        list={list}
        label={said.console[list]}
        stored={data[list].lines.join('\n')}
        reload={async () =>
          (await queries.fetchQuery({ ...consoleListsQuery, staleTime: 0 }))[list].lines.join('\n')
        }
        save={REPLACE[list]}
        reason={undefined}
      />
    </>
  )
}

const MODES = { global: 'useGlobal', on: 'enable', off: 'disable' } as const
type Mode = keyof typeof MODES

export function FlockLines({ flockId: flock_id }: { readonly flockId: string }) {
  const query = flockListQuery(flock_id)
  const queries = useQueryClient()
  const { data, error, isPending, refetch } = useQuery(query)
  const reason = useWhyNot('flockIgnoreLists', 'save', [flock_id])
  const why = useId()
  const change = useChange(
    query.queryKey,
    (operation: (typeof MODES)[Mode] | 'inheritGlobal' | 'inheritNothing') =>
      call('flockIgnoreLists', operation, { flock_id }),
  )
  if (isPending) return <Loading rows={3} />
  if (!data) return <ProblemBox error={error} onRetry={() => void refetch()} />
  // What was chosen stands there at once.
  const asked = change.isPending ? change.variables : undefined
  const mode = (Object.keys(MODES) as Mode[]).find((it) => MODES[it] === asked) ?? data.mode
  const inherits = asked === 'inheritGlobal' || (asked !== 'inheritNothing' && data.inherits)
  return (
    <>
      {reason && (
        <p id={why} className={birds['quiet']}>
          {reason}
        </p>
      )}
      <fieldset className={css['switches']} disabled={reason !== undefined} aria-describedby={reason && why}>
        <label>
          {said.mode}
          <select
            className={birds['select']}
            value={mode}
            onChange={(event) => change.mutate(MODES[event.target.value as Mode])}
          >
            {Object.entries(said.modes).map(([mode, name]) => (
              <option key={mode} value={mode}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={inherits}
            onChange={(event) => change.mutate(event.target.checked ? 'inheritGlobal' : 'inheritNothing')}
          />
          {said.inherits}
        </label>
      </fieldset>
      {change.error && <ProblemBox error={change.error} />}
      <p className={birds['quiet']}>{said.help.flock}</p>
      <Editor
        list="ip"
        isOfFlock
        label={said.lines}
        stored={data.text}
        reload={async () => (await queries.fetchQuery({ ...query, staleTime: 0 })).text}
        save={(text, force) =>
          call('flockIgnoreLists', 'save', { flock_id, whitelist: text, clear: text === '', force })
        }
        reason={reason}
      />
    </>
  )
}
