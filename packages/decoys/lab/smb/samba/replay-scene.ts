// Plays a scene to our sessions, without sockets: who is woken has its turn behind who acts, and time passes when somebody waits.
import { deriveFrom, SERVED_BIRD, testContext } from '../../../test/session-context.ts'
import { sessionRunner } from '../../../src/session/session-runner.ts'
import type { DecoyEvent } from '../../../src/session/session.ts'
import { sambaConfig } from '../../../src/services/smb/products/samba/config.ts'
import { sambaSession } from '../../../src/services/smb/products/samba/session.ts'
import { mask } from './mask.ts'
import { connectTo, served } from './replay.ts'
import { perform, type Scene, type Who } from './scene.ts'

/** Longer than a break may take. */
const WAIT_MS = 45_000

export function replayScene(scene: Scene) {
  const config = sambaConfig(served())
  const start = sessionRunner(sambaSession(config))
  let now = Date.UTC(2026, 10, 20, 9, 39, 2)
  const players = new Map<Who, ReturnType<typeof connectTo>>()
  const events: (readonly DecoyEvent[])[] = []
  const heard = new Map<Who, Buffer>()
  const woken = new Set<Who>()
  const hear = (who: Who, bytes: Buffer): unknown =>
    heard.set(who, Buffer.concat([heard.get(who) ?? Buffer.alloc(0), bytes]))
  const connect = (who: Who) => {
    const wakeSoon = (): unknown => woken.add(who)
    const player = connectTo(
      start,
      testContext({ derive: deriveFrom(SERVED_BIRD), now: () => now, wakeSoon }),
    )
    players.set(who, player)
    events.push(player.events)
    return player
  }
  const wakeAll = (): void => {
    for (const who of woken) {
      woken.delete(who)
      hear(who, players.get(who)?.wake() ?? Buffer.alloc(0))
    }
  }
  const talk = perform(scene)
  let step = talk.next()
  while (!step.done) {
    const { who, does } = step.value
    const player = players.get(who) ?? connect(who)
    heard.clear()
    if (does === 'leaves') {
      player.leave()
      players.delete(who)
    } else if (does === 'waits') {
      now += WAIT_MS
      for (const [one, { wakesAt }] of players) if (wakesAt() <= now) woken.add(one)
    } else hear(who, player.receive(does))
    wakeAll()
    step = talk.next(new Map(heard))
  }
  const closes = [...players]
    .filter(([, { close }]) => close() !== 'open')
    .map(([who, { close }]) => `${who} ${close()}`)
  return {
    text: mask([...step.value, ...closes].join('\n')),
    locking: config.locking,
    leave: () => players.forEach(({ leave }) => leave()),
    events: events.flatMap((each) => each),
  }
}
