// Several connections at a time: who does what in which order, and what each of them sees of it.
import { idNames, type Names } from './describe.ts'
import { learn, newClient, type Act, type Client } from './client.ts'

/** A connection: a, b or c, as a rule. */
export type Who = string

export interface Turn {
  readonly who: Who
  /** Without one, nobody does anything until a time is up. */
  readonly does: Act | 'leaves' | 'waits'
  /** What is seen is known from elsewhere: a login. */
  readonly isKnown?: boolean
}

export type Scene = readonly Turn[]

/** What is to be done next. */
export interface Cue {
  readonly who: Who
  readonly does: Buffer | 'leaves' | 'waits'
  readonly answers: number
  /** Nobody else notices it. */
  readonly isKnown: boolean
}

/** What arrived at each connection since the last cue. */
export type Heard = ReadonlyMap<Who, Buffer>

/** What is yielded is to be done; what comes back is what was heard. The value is what was seen, line by line. */
export function* perform(scene: Scene): Generator<Cue, string[], Heard> {
  const players = new Map<Who, { readonly client: Client; readonly names: Names }>()
  const seen: string[] = []
  for (const { who, does, isKnown } of scene) {
    const player = players.get(who) ?? { client: newClient(), names: idNames() }
    players.set(who, player)
    const cue =
      typeof does === 'string'
        ? { does, answers: 0 }
        : { does: does.send(player.client), answers: does.answers }
    const heard = yield { who, ...cue, isKnown: isKnown === true }
    if (!isKnown) seen.push(`${who}> ${typeof does === 'string' ? does : does.name}`)
    for (const [one, bytes] of [...heard].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { client, names } = players.get(one)!
      const lines = learn(client, names, bytes)
      if (!isKnown || one !== who) seen.push(...lines.map((line) => `  ${one} ${line}`))
    }
  }
  return seen
}
