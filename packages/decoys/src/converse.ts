// Turns a session definition into conversations whose state and frames nobody outside needs to know.
import type { Conversation, Reply, SessionContext, SessionDefinition, Step } from './session.ts'

/** So much may be answered at once; the rest waits for `resume`, so that a pipeline of big answers stays bounded. */
const BATCH_BYTES = 256 * 1024

/**
 * Makes conversations of a definition: bytes in, replies out, no socket and no clock.
 *
 * Frames that arrive in one piece are answered in one call. A definition that throws ends its conversation with a reply
 * that resets and carries `thrown`; the replies before it are kept.
 */
export function session<State, Frame>(
  definition: SessionDefinition<State, Frame>,
): (context: SessionContext) => Conversation {
  return (context) => converse(definition, context)
}

function converse<State, Frame>(
  definition: SessionDefinition<State, Frame>,
  context: SessionContext,
): Conversation {
  const { limits } = definition
  const inbox = openInbox()
  let state: State | undefined
  let isOpen = false
  let isOver = false
  let hasMore = false
  /** No whole frame before so many bytes have come. */
  let wanted = 1

  const take = (step: Step<State>): Reply => {
    state = step.state
    if (step.close) end()
    return step
  }
  const end = (): void => {
    isOver = true
    hasMore = false
    inbox.clear()
  }
  const fail = (thrown: unknown): Reply => {
    end()
    return { close: 'reset', thrown }
  }

  function next(): Reply | undefined {
    if (isOver || !isOpen || inbox.length < wanted) return undefined
    const current = state as State
    const bytes = inbox.view()
    const decoded = definition.decode(bytes, current)
    if (decoded && 'frame' in decoded) {
      if (!(decoded.length >= 1 && decoded.length <= bytes.length)) {
        throw new RangeError(`A frame of ${decoded.length} bytes cannot be taken from ${bytes.length}`)
      }
      inbox.skip(decoded.length)
      wanted = 1
      return take(definition.step(current, decoded.frame, context))
    }
    if (bytes.length > limits.frameBytes) {
      inbox.clear()
      wanted = 1
      return take(definition.overflow?.(current, context) ?? { state: current, close: 'reset' })
    }
    wanted = Math.min(Math.max(decoded?.atLeast ?? 0, bytes.length + 1), limits.frameBytes + 1)
    return undefined
  }

  function resume(): Reply[] {
    const replies: Reply[] = []
    let sent = 0
    hasMore = false
    try {
      for (let reply = next(); reply; reply = next()) {
        replies.push(reply)
        sent += reply.send?.length ?? 0
        if (reply.delayMs || sent > BATCH_BYTES) {
          hasMore = !isOver
          break
        }
        if (isOver) break
      }
    } catch (thrown) {
      replies.push(fail(thrown))
    }
    if (!hasMore) inbox.settle()
    return replies
  }

  return {
    limits,
    get hasMore() {
      return hasMore
    },
    open() {
      try {
        const reply = take(definition.open(context))
        isOpen = true
        return reply
      } catch (thrown) {
        return fail(thrown)
      }
    },
    receive(bytes) {
      if (isOver) return []
      inbox.append(bytes)
      return hasMore ? [] : resume()
    },
    resume,
    idle() {
      if (isOver || !isOpen || !definition.idle) return undefined
      try {
        return take(definition.idle(state as State, context))
      } catch (thrown) {
        return fail(thrown)
      }
    },
    gone: () => (isOpen ? (definition.gone?.(state as State, context) ?? []) : []),
  }
}

const EMPTY = Buffer.alloc(0)

/** Bytes that wait for their frame. Grows by doubling and never overwrites what a frame may still point at. */
function openInbox() {
  let store: Buffer = EMPTY
  let start = 0
  let end = 0
  let isOwn = false
  return {
    get length() {
      return end - start
    },
    view: () => (start === 0 && end === store.length ? store : store.subarray(start, end)),
    skip(length: number) {
      start += length
    },
    clear() {
      store = EMPTY
      start = end = 0
      isOwn = false
    },
    append(bytes: Buffer) {
      if (start === end) {
        store = bytes
        start = 0
        end = bytes.length
        isOwn = false
        return
      }
      if (!isOwn || end + bytes.length > store.length) grow(bytes.length)
      bytes.copy(store, end)
      end += bytes.length
    },
    /** Lets go of a big chunk of which only a small rest is left. */
    settle() {
      if (start === end) this.clear()
      else if (!isOwn || start > store.length / 2) grow(0)
    },
  }

  function grow(more: number): void {
    const length = end - start
    const grown = Buffer.allocUnsafe(Math.max(64, 2 * (length + more)))
    store.copy(grown, 0, start, end)
    store = grown
    start = 0
    end = length
    isOwn = true
  }
}
