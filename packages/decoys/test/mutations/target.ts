// What a service gives the mutations: how to speak to it, and what its answers must not exceed.
import type { SessionRunner } from '../../src/session/session.ts'
import type { Draw } from '../draw.ts'
import type { Change } from './changes.ts'
import { converse } from './converse.ts'

/** What became of one conversation. */
export interface Mutated {
  /** Frames that were changed before they were sent. */
  readonly frames: number
  readonly answerBytes: number
  /** What was wrong; a throw is wrong, too. */
  readonly fault?: string
}

/** One way into a service: an entry of the export `mutations` of its `mutations.ts` in `lab/`, by the name of its row. */
export interface MutationTarget {
  readonly converse: (draw: Draw) => Mutated | Promise<Mutated>
  /** Of a conversation, on average: with less, the changes end it before it comes anywhere. */
  readonly leastMeanAnswer: number
}

export type MutationTargets = Readonly<Record<string, MutationTarget>>

export interface SessionTarget {
  /** The server of this conversation. Most are opened once and drawn from. */
  readonly server: (draw: Draw) => SessionRunner
  /** What a client would send, segment by segment. */
  readonly segments: (draw: Draw) => readonly Buffer[]
  readonly change: Change
  /** Of one conversation. */
  readonly mostAnswerBytes: number
  readonly mostKeptBytes?: number
  readonly leastMeanAnswer: number
}

/** Of the host for one connection, about. */
const MAX_KEPT_BYTES = 2_000_000
/** Left as it is: a conversation with each segment changed ends at its first. */
const LEFT = 0.3

/** Conversations of which most segments are changed. */
export const sessionTarget = ({
  server,
  segments,
  change,
  mostAnswerBytes,
  mostKeptBytes = MAX_KEPT_BYTES,
  leastMeanAnswer,
}: SessionTarget): MutationTarget => ({
  leastMeanAnswer,
  async converse(draw) {
    let frames = 0
    const sent = segments(draw).map((segment) => {
      if (draw.chance(LEFT)) return segment
      frames += 1
      return change(draw, segment)
    })
    const { answerBytes, keptBytes, error } = await converse(server(draw), sent, draw)
    const fault =
      error !== undefined
        ? faultOf(error)
        : answerBytes > mostAnswerBytes
          ? `an answer of ${answerBytes} bytes`
          : keptBytes > mostKeptBytes
            ? `${keptBytes} bytes kept`
            : undefined
    return { frames, answerBytes, ...(fault !== undefined && { fault }) }
  },
})

/** With the place where it was thrown. */
export const faultOf = (error: unknown): string =>
  `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
