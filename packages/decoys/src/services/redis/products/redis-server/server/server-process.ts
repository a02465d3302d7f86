// The process that the decoy claims to be: when it was started, and what it uses.
import { bootedAt } from '../../../../../machine/boot-time.ts'
import type { Call } from '../model/call.ts'

/** When this Bird's server was started (seconds), and its run id: some seconds after its machine. */
export function lastStart({ now, context }: Pick<Call, 'now' | 'context'>): { at: number; runId: string } {
  const { derive } = context
  const afterBoot = 6 + (derive('redis/start', 1)[0]! % 12)
  const at = Math.floor(Math.min(bootedAt(derive, now) / 1000 + afterBoot, now / 1000))
  return { at, runId: derive(`redis/run/${at}`, 20).toString('hex') }
}

/** A number from `low` to below `high` that is always the same on this Bird. */
export function derivedNumber(
  { context }: Pick<Call, 'context'>,
  label: string,
  low: number,
  high: number,
): number {
  return low + (context.derive(`redis/${label}`, 4).readUInt32BE() % (high - low))
}

type At = Pick<Call, 'context' | 'server' | 'now'>

/** Until the server looks next for what was due at an instant: `hz` times a second, when nothing else happens. */
export const lookMs = (at: At, dueAt: number): number => Math.ceil(lookAt(at, dueAt) - at.now)

/** `change` may set `hz`: it counts from the next look on, whose time is set already. */
export function keepNextLook(at: At, change: () => void): void {
  const { config } = at.server
  const [next, hz] = [lookAt(at, at.now + 1), config.get('hz')]
  change()
  if (config.get('hz') !== hz) at.server.looksFrom = next
}

function lookAt({ context, server }: At, dueAt: number): number {
  const everyMs = Math.floor(1_000 / (Number(server.config.get('hz')) || 10))
  const from = server.looksFrom ?? derivedNumber({ context }, 'cron', 0, 1_000)
  return from + Math.max(0, Math.ceil((dueAt - from) / everyMs)) * everyMs
}

/** Bytes, as INFO shows them. */
export const usedMemory = (call: Pick<Call, 'context' | 'server'>): number =>
  derivedNumber(call, 'memory', 930_000, 1_400_000) + call.server.counters.clients * 22_300
