// Runs a session definition: buffers bytes, decodes frames, keeps the state, turns what it throws into a reset.
import { byteQueue, type ByteQueue } from './byte-queue.ts'
import type { Reply, Session, SessionContext, SessionDefinition, SessionRunner, Step } from './session.ts'

/** Bytes of answers in one portion. The rest waits for `resume`, so that a pipeline of big answers stays bounded. */
const PORTION_BYTES = 256 * 1024

/**
 * Runs a definition without socket or clock: bytes in, replies out.
 *
 * Frames that arrive in one piece are answered in one call. If the definition throws, the session ends with a reply that
 * resets and carries `error`; the replies before it are kept.
 */
export function sessionRunner<State, Frame>(definition: SessionDefinition<State, Frame>): SessionRunner {
  return (context) => startSession(definition, context)
}

type Act<State> = (state: State, context: SessionContext) => Step<State>

interface Progress<State> {
  /** The state after the last step. */
  current: State | undefined
  /** `open` has succeeded. */
  isOpen: boolean
  /** A reply has closed the connection. */
  isOver: boolean
  hasMore: boolean
  /** Frames wait until a step releases them. */
  isHeld: boolean
  /** No whole frame before so many bytes are there. */
  minBytes: number
  /** What the frame at the front is known to need; 0 where its codec has not said it. */
  frameBytes: number
}

const newProgress = <State>(): Progress<State> => ({
  current: undefined,
  isOpen: false,
  isOver: false,
  hasMore: false,
  isHeld: false,
  minBytes: 1,
  frameBytes: 0,
})

function beginFrame(progress: Progress<unknown>): void {
  progress.minBytes = 1
  progress.frameBytes = 0
}

/** `atLeast`: what the codec says that the frame needs, or 0. At most `most` bytes may wait for it. */
function awaitRest(progress: Progress<unknown>, atLeast: number, waiting: number, most: number): void {
  progress.frameBytes = Math.min(atLeast, most)
  progress.minBytes = Math.min(Math.max(atLeast, waiting + 1), most + 1)
}

function endProgress(progress: Progress<unknown>, queue: ByteQueue): void {
  progress.isOver = true
  progress.hasMore = false
  queue.clear()
}

const leavesInput = ({ close, readAheadBytes = 0 }: Step<unknown>, waiting: number): boolean =>
  close === 'close' && waiting > readAheadBytes

type Slow = Pick<Step<unknown>, 'delayMs' | 'furtherWrites'> & { readonly later?: unknown }

const takesTime = ({ delayMs, furtherWrites, later }: Slow): boolean =>
  Boolean(delayMs || later) || Boolean(furtherWrites?.some(({ isLater }) => isLater))

const startsTls = ({ tls }: Reply): boolean => tls !== undefined && tls !== 'off'

/** What comes behind a step that takes its time waits for it; what waits behind one that releases is answered next. */
function holdOrRelease(progress: Progress<unknown>, step: Step<unknown>, waiting: number): void {
  const { holds } = step
  if (takesTime(step)) progress.hasMore = true
  if (holds === undefined) return
  if (!holds && progress.isHeld) progress.hasMore = waiting > 0
  progress.isHeld = holds
}

function startSession<State, Frame>(
  definition: SessionDefinition<State, Frame>,
  context: SessionContext,
): Session {
  const { limits } = definition
  const queue = byteQueue()
  const progress = newProgress<State>()

  const accept = (step: Step<State>): Reply => {
    progress.current = step.state
    // As it is where it can be: a copy for each command of a pipeline takes a tenth of its time.
    const reply = leavesInput(step, queue.length) ? { ...step, close: 'reset' as const } : step
    holdOrRelease(progress, step, queue.length)
    if (step.close) stop()
    const { later } = step
    return later ? { ...reply, later: () => acceptLater(later) } : reply
  }
  const acceptLater = (later: () => Promise<Step<State>>): Promise<Reply> =>
    later().then((step) => (progress.isOver ? {} : guarded(() => accept(step))), fail)
  const fail = (error: unknown): Reply => (stop(), { close: 'reset', error })
  const stop = (): void => endProgress(progress, queue)
  const guarded = <T>(act: () => T): T | Reply => attempt(act, fail)

  function overflow(state: State): Reply {
    takeAll(queue, progress)
    return accept(definition.overflow?.(state, context) ?? { state, close: 'reset' })
  }

  /** The reply to the next frame; undefined when no frame is whole. */
  function answerNext(): Reply | undefined {
    if (progress.isOver || !progress.isOpen || queue.length < progress.minBytes) return undefined
    const state = progress.current as State
    if (progress.isHeld) return queue.length > limits.frameBytes ? overflow(state) : undefined
    const bytes = queue.view()
    const decoded = definition.decode(bytes, state)
    if (decoded && 'frame' in decoded) {
      checkLength(decoded.length, bytes.length)
      queue.skip(decoded.length)
      beginFrame(progress)
      return accept(definition.step(state, decoded.frame, context))
    }
    if (bytes.length > limits.frameBytes) return overflow(state)
    awaitRest(progress, decoded?.atLeast ?? 0, bytes.length, limits.frameBytes)
    const partial = bytes.length > 0 && definition.partial?.(state, bytes, context)
    return partial ? accept(partial) : undefined
  }

  function resume(): Reply[] {
    const replies: Reply[] = []
    let bytes = 0
    progress.hasMore = false
    for (let reply = guarded(answerNext); reply; reply = guarded(answerNext)) {
      replies.push(reply)
      bytes += reply.send?.length ?? 0
      if (reply.tls || takesTime(reply) || bytes > PORTION_BYTES || context.isTurnOver?.()) {
        progress.hasMore = !progress.isOver && !startsTls(reply)
        break
      }
    }
    if (!progress.hasMore) queue.compact(progress.frameBytes)
    return replies
  }

  const ask = (act: Act<State> | undefined): Reply | undefined => {
    if (progress.isOver || !progress.isOpen || !act) return undefined
    return guarded(() => accept(act(progress.current as State, context)))
  }

  return {
    limits,
    get hasMore() {
      return progress.hasMore
    },
    get unreadBytes() {
      return queue.memory + keptBytes(definition, progress)
    },
    open: () =>
      guarded(() => {
        const reply = accept(definition.open(context))
        progress.isOpen = true
        return reply
      }),
    receive(bytes) {
      if (progress.isOver) return []
      queue.append(bytes, progress.frameBytes)
      if (progress.hasMore) return []
      const reply = progress.isHeld ? ask(definition.heldInput) : undefined
      return reply ? [reply, ...resume()] : resume()
    },
    resume,
    wake: () => ask(definition.wake),
    idle: () => ask(definition.idle),
    takeUnread: () => takeAll(queue, progress),
    secured: () => ask(definition.secured),
    tlsFailed: (failure) =>
      ask((state) => definition.tlsFailed?.(state, failure, context) ?? { state, close: 'end' }),
    ended: () => ask(endOf(definition, () => takeAll(queue, progress))),
    closed: () => (progress.isOpen ? (definition.closed?.(progress.current as State, context) ?? []) : []),
  }
}

function keptBytes<State>(
  { keptBytes: count }: Pick<SessionDefinition<State, never>, 'keptBytes'>,
  { current, isOpen, isOver }: Progress<State>,
): number {
  return count && isOpen && !isOver ? count(current as State) : 0
}

const endOf =
  <State, Frame>({ ended }: SessionDefinition<State, Frame>, takeUnread: () => Buffer) =>
  (state: State, context: SessionContext): Step<State> => ({
    ...(ended?.(state, takeUnread(), context) ?? { state }),
    close: 'end',
  })

function takeAll(queue: ByteQueue, progress: Progress<unknown>): Buffer {
  const bytes = queue.view()
  queue.clear()
  beginFrame(progress)
  return bytes
}

function attempt<T, U>(act: () => T, fail: (error: unknown) => U): T | U {
  try {
    return act()
  } catch (error) {
    return fail(error)
  }
}

function checkLength(length: number, available: number): void {
  if (length >= 1 && length <= available) return
  throw new RangeError(`decode took ${length} of ${available} bytes; a frame takes 1 to ${available}`)
}
