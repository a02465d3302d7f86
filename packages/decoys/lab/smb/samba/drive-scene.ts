// Plays a scene to a server over sockets.
import { setTimeout as sleep } from 'node:timers/promises'
import { watch, type Endpoint, type Observation, type Watched } from '../../../test/observe.ts'
import { perform, type Scene, type Who } from './scene.ts'

/** Without a byte for so long, nothing more comes. */
const QUIET_MS = 50
const FIRST_MS = 900
/** The longest that an open waits for a break. */
const WAIT_MS = 45_000

export async function play(server: Endpoint, scene: Scene, patience = 1): Promise<Observation> {
  const lines = new Map<Who, Watched & { from: number }>()
  const talk = perform(scene)
  let step = talk.next()
  while (!step.done) {
    const { who, does, answers, isKnown } = step.value
    const line = lines.get(who) ?? { ...watch(server), from: 0 }
    lines.set(who, line)
    if (does === 'leaves') line.socket.destroy()
    else if (does !== 'waits' && line.seen.close === 'open') line.socket.write(does)
    const startedAt = performance.now()
    const isQuiet = (): boolean => {
      const now = performance.now()
      const hasAnswer = [...lines.values()].some(
        ({ seen, from }) => seen.text.length > from || seen.close !== 'open',
      )
      if (
        !hasAnswer &&
        (does === 'waits' || answers > 0) &&
        now - startedAt < (does === 'waits' ? WAIT_MS : FIRST_MS * patience)
      )
        return false
      if (isKnown && hasAnswer) return true
      const lastAt = Math.max(startedAt, ...[...lines.values()].map(({ seen }) => seen.lastAt))
      return now - lastAt > QUIET_MS * patience
    }
    while (!isQuiet()) await sleep(2)
    const heard = [...lines].map(([one, each]) => {
      const bytes = Buffer.from(each.seen.text.slice(each.from), 'latin1')
      each.from = each.seen.text.length
      return [one, bytes] as const
    })
    step = talk.next(new Map(heard))
  }
  const closes = [...lines]
    .filter(([, { seen }]) => seen.close !== 'open')
    .map(([who, { seen }]) => `${who} ${seen.close}`)
  for (const { socket } of lines.values()) socket.destroy()
  return { text: [...step.value, ...closes].join('\n'), close: 'open', delayMs: 0 }
}
