// Waits until everything that has arrived is queued, so that it shares a transaction. libuv reads at most 32 datagrams of a
// socket in one iteration of the event loop (uv__udp_recvmsg), and leaves the others in the socket's buffer.
import { nextImmediate } from '../../db/next-immediate.ts'

/** Resolves once an iteration has queued nothing more, or `most` wait. */
export async function allArrived(waiting: () => number, most: number): Promise<void> {
  for (let seen = 0; seen < waiting() && waiting() < most; await nextImmediate()) seen = waiting()
}
