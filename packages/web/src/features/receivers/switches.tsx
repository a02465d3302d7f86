// Which alerts leave: of the console, and of one Flock, which has its own switches or follows.
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call, type GroupName, type Name } from '../../api/call.ts'
import { useFirstFlock, useWhyNot, whyNot } from '../../can.ts'
import { SelectField } from '../../kit/form-fields.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { links } from '../../links.ts'
import { sessionQuery } from '../../session/session-query.ts'
import css from '../birds/birds.module.css'
import { FlockSelect } from '../birds/flock-select.tsx'
import own from './receivers.module.css'
import { receiverWords } from './words.ts'

const said = receiverWords.switches
type Mode = keyof typeof said.modes
type Operation = { [G in GroupName]: readonly [G, Name<G>] }[GroupName]

const OF_FLOCK = {
  alerts: {
    global: ['flockWebhooks', 'useGlobal'],
    on: ['flockWebhooks', 'enable'],
    off: ['flockWebhooks', 'disable'],
  },
  flockChanges: {
    global: ['flockChangeAlerts', 'useGlobalFlock'],
    on: ['flockChangeAlerts', 'enableFlock'],
    off: ['flockChangeAlerts', 'disableFlock'],
  },
  birdChanges: {
    global: ['flockChangeAlerts', 'useGlobalDevice'],
    on: ['flockChangeAlerts', 'enableDevice'],
    off: ['flockChangeAlerts', 'disableDevice'],
  },
} as const satisfies Record<string, Record<Mode, Operation>>
const OF_CONSOLE = {
  alerts: { on: ['webhookSwitch', 'enable'], off: ['webhookSwitch', 'disable'] },
  flockChanges: { on: ['consoleChangeAlerts', 'enableFlock'], off: ['consoleChangeAlerts', 'disableFlock'] },
  birdChanges: { on: ['consoleChangeAlerts', 'enableDevice'], off: ['consoleChangeAlerts', 'disableDevice'] },
} as const satisfies Record<string, Record<'on' | 'off', Operation>>
type Switch = keyof typeof OF_FLOCK
const SWITCHES = Object.keys(OF_FLOCK) as Switch[]

export function Switches({ flock }: { readonly flock: string | undefined }) {
  const navigate = useNavigate()
  const first = useFirstFlock()
  const { me } = useSuspenseQuery(sessionQuery).data
  const flockId = flock ?? first
  return (
    <section className={css['part']}>
      <h2>{said.title}</h2>
      <p className={css['quiet']}>{said.lead}</p>
      <FlockSelect
        label={said.flock}
        value={flockId}
        onChange={(id) => void navigate({ to: links.receivers, search: { flock: id }, replace: true })}
      />
      <OfFlock key={flockId} flockId={flockId} />
      {whyNot(me, 'consoleSettings', 'read') === undefined && <OfConsole />}
    </section>
  )
}

const modeOf = (text: string): Mode => (text === 'Global' ? 'global' : text === 'Enabled' ? 'on' : 'off')

function OfFlock({ flockId: flock_id }: { readonly flockId: string }) {
  const reason = useWhyNot('flockWebhooks', 'enable', [flock_id])
  const queryKey = ['flockWebhooks', 'switches', flock_id]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Record<Switch, Mode>> => {
      const [{ is_global }, { is_enabled }, { change_control: changes }] = await Promise.all([
        call('flockWebhooks', 'isGlobal', { flock_id }, signal),
        call('flockWebhooks', 'isEnabled', { flock_id }, signal),
        call('flockChangeAlerts', 'info', { flock_id }, signal),
      ])
      return {
        alerts: is_global ? 'global' : is_enabled ? 'on' : 'off',
        flockChanges: modeOf(changes.flock_settings_notifications),
        birdChanges: modeOf(changes.device_settings_notifications),
      }
    },
  })
  if (error) return <ProblemBox error={error} onRetry={() => void refetch()} />
  return (
    <Choices
      modes={['global', 'on', 'off']}
      chosen={data}
      reason={reason}
      queryKey={queryKey}
      onChoose={(name, mode) => run(OF_FLOCK[name][mode], { flock_id })}
    />
  )
}

function OfConsole() {
  const queryKey = ['consoleSettings', 'switches']
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Record<Switch, Mode>> => {
      const { settings } = await call('consoleSettings', 'read', {}, signal)
      return {
        alerts: settings.webhooks_enabled ? 'on' : 'off',
        flockChanges: settings.change_control.flock_settings ? 'on' : 'off',
        birdChanges: settings.change_control.device_settings ? 'on' : 'off',
      }
    },
  })
  if (error) return <ProblemBox error={error} onRetry={() => void refetch()} />
  return (
    <>
      <h3>{said.consoleTitle}</h3>
      <Choices
        modes={['on', 'off']}
        chosen={data}
        reason={undefined}
        queryKey={queryKey}
        onChoose={(name, mode) => run(OF_CONSOLE[name][mode === 'on' ? 'on' : 'off'], {})}
      />
    </>
  )
}

const run = ([group, name]: Operation, params: object): Promise<unknown> =>
  // The tables above name the operations: each group with a name of its own.
  call(group, name as never, params as never)

interface ChoicesProps {
  readonly modes: readonly Mode[]
  readonly chosen: Record<Switch, Mode> | undefined
  readonly reason: string | undefined
  readonly queryKey: readonly string[]
  readonly onChoose: (name: Switch, mode: Mode) => Promise<unknown>
}

function Choices({ modes, chosen, reason, queryKey, onChoose }: ChoicesProps) {
  const queries = useQueryClient()
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: ({ name, mode }: { name: Switch; mode: Mode }) => onChoose(name, mode),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey }),
        queries.invalidateQueries({ queryKey: ['receiverOverview', 'list'] }),
      ]),
  })
  return (
    <>
      <div className={own['switches']}>
        {SWITCHES.map((name) => (
          <SelectField
            key={name}
            label={said[name]}
            help={reason}
            disabled={reason !== undefined || !chosen}
            value={isPending && variables.name === name ? variables.mode : (chosen?.[name] ?? 'on')}
            onChange={({ target }) => mutate({ name, mode: target.value as Mode })}
          >
            {modes.map((mode) => (
              <option key={mode} value={mode}>
                {said.modes[mode]}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
      {error && <ProblemBox error={error} />}
    </>
  )
}
