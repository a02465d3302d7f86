// Feeds a protocol from any of its states. A session keeps its state to itself; here one can be gone on from many times.
import type { SessionContext, SessionDefinition, Step } from '../../src/session/session.ts'

export interface Fed<State> {
  readonly state: State
  readonly sent: Buffer
  readonly isClosed: boolean
}

export async function feed<State, Frame>(
  { decode, step, limits }: Pick<SessionDefinition<State, Frame>, 'decode' | 'step' | 'limits'>,
  from: State,
  chunks: readonly Buffer[],
  context: SessionContext,
): Promise<Fed<State>> {
  const sent: Buffer[] = []
  let state = from
  const end = (isClosed: boolean): Fed<State> => ({ state, sent: Buffer.concat(sent), isClosed })
  /** Whether it closes. */
  const take = async ({ later, ...made }: Step<State>): Promise<boolean> => {
    state = made.state
    if (made.send !== undefined) sent.push(Buffer.from(made.send))
    if (made.close) return true
    return later ? take(await later()) : false
  }
  let waiting: Buffer = Buffer.alloc(0)
  for (const chunk of chunks) {
    waiting = Buffer.concat([waiting, chunk])
    for (;;) {
      const decoded = decode(waiting, state)
      if (!decoded || !('frame' in decoded)) break
      if (decoded.length < 1 || decoded.length > waiting.length)
        throw new RangeError(`a frame of ${decoded.length} of ${waiting.length} bytes`)
      waiting = waiting.subarray(decoded.length)
      if (await take(step(state, decoded.frame, context))) return end(true)
    }
    if (waiting.length > limits.frameBytes) return end(true)
  }
  return end(false)
}
