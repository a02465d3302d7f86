// Transcripts of a Bird's session: inputs in, one line for each effect out.
import type { Body, Frame } from '@rookery/link/messages.ts'
import type { Effect, Input, SessionState } from '../src/channels/link/bird-session/state.ts'
import { INITIAL_STATE, step } from '../src/channels/link/bird-session/step.ts'
import type { CommandRow } from '../src/stores/birds/commands.store.ts'
import type { BirdRow } from '../src/stores/birds/store.ts'
import type { OpenTransfer } from '../src/stores/transfers/store.ts'
import { birdRow } from './birds.ts'
import { hello } from './link-bird.ts'

export const NODE = '0123456789abcdef'
export const NOW = Date.parse('2026-11-20T09:39:02Z')
const KEY = Buffer.alloc(32, 7)

export const frame = (frame: Frame): Input => ({ kind: 'frame', frame, remoteKey: KEY })
export const identified: Input = { kind: 'identified', nodeId: NODE, wasOffline: false }
export const changed: Input = { kind: 'changed' }
export const closed: Input = { kind: 'closed' }
/** A frame has just come. */
export const tick: Input = { kind: 'tick', heardAt: NOW }
export const read = (
  row: BirdRow | undefined,
  commands: readonly CommandRow[] = [],
  upto = 0,
  transfers: readonly OpenTransfer[] = [],
): Input => ({ kind: 'read', row, upto, commands, transfers })
export const failed = (error: unknown): Input => ({ kind: 'failed', effect: 'store-events', error })

export const pending = birdRow({ node_id: NODE, state: 'pending' })
export const registered = (change: Partial<BirdRow> = {}): BirdRow =>
  birdRow({ node_id: NODE, settings: '{"a":1}', settings_tag: 'one', settings_seq: 1, ...change })
export const command = (
  command_id: string,
  kind = 'reboot',
  state: CommandRow['state'] = 'waiting',
): CommandRow => ({
  command_id,
  kind,
  state,
  node_id: NODE,
  payload: '{}',
  detail: '',
  created_at: 0,
  updated_at: 0,
})
export const report = (tag: string): Body<'SETTINGS_FAILED'> => ({ tag, seq: 1, reason: 'port 22 is in use' })

/** One line an effect: its kind, and what tells it from others of that kind. */
export function line(effect: Effect): string {
  switch (effect.kind) {
    case 'send': {
      const { kind, body } = effect.frame
      if (kind === 'REFUSED') return `send REFUSED ${body.reason}`
      if (kind === 'SETTINGS_OFFER' || kind === 'SETTINGS_CHUNK') return `send ${kind} ${body.tag}`
      return kind === 'CMD' ? `send CMD ${body.id}` : `send ${kind}`
    }
    case 'mark-sent':
      return `mark-sent ${effect.commandIds.join()}`
    case 'read':
      return effect.spoolId === undefined ? 'read' : 'read with position'
    case 'log':
      return `log ${effect.message}`
    default:
      return effect.kind
  }
}

/** What a session does with these inputs, one after the other; ends in the name of its state. */
export function transcript(...inputs: readonly Input[]): string[] {
  let state: SessionState = INITIAL_STATE
  const lines: string[] = []
  for (const input of inputs) {
    const next = step(state, input, NOW)
    state = next.state
    lines.push(...next.effects.map(line))
  }
  return [...lines, state.name]
}

/** The same, each line with the second of its input; `before` comes at once. */
export function timed(
  before: readonly Input[],
  ...inputs: readonly (readonly [ms: number, input: Input])[]
): string[] {
  let state = before.reduce<SessionState>((s, input) => step(s, input, NOW).state, INITIAL_STATE)
  return inputs.flatMap(([ms, input]) => {
    const given = input === tick ? ({ kind: 'tick', heardAt: NOW + ms } as const) : input
    const next = step(state, given, NOW + ms)
    state = next.state
    return next.effects.map((effect) => `${ms / 1000} ${line(effect)}`)
  })
}

export const connected = [frame(hello()), identified]
export const CONNECTED = ['identify', 'log Bird connected', 'register', 'read with position']
export const online = [...connected, read(registered())]
export const ONLINE = [...CONNECTED, 'store-heartbeat', 'send COMMISSIONED', 'send SETTINGS_OFFER one']
/** What follows after these inputs. */
export const after = (before: readonly Input[], ...inputs: readonly Input[]): string[] =>
  transcript(...before, ...inputs).slice(transcript(...before).length - 1)
