// What people have published to recognise decoys by, one by one: published-probes.data.ts says whose ideas they are.
export interface PublishedProbe {
  /** The decoy, and what gives it away. */
  readonly name: string
  /** One after another, in latin1; nothing: the greeting tells. */
  readonly send: readonly string[]
  readonly pattern: RegExp
  /** What the decoy was published to answer. */
  readonly seen: string
}

export const says = (
  name: string,
  pattern: RegExp,
  seen: string,
  ...send: readonly string[]
): PublishedProbe => ({
  name,
  send,
  pattern,
  seen,
})
