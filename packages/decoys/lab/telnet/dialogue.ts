// A dialogue with a Telnet server: what the client sends, turn by turn, and what it waits for before the next turn.

export interface Turn {
  /** Latin1. */
  readonly send: string
  /** The turn is over when the server's answer to it ends so; without it, when the server is silent. */
  readonly awaits?: string
}

export interface Dialogue {
  readonly name: string
  readonly turns: readonly Turn[]
}

/** What no server says: the turn is over when the connection is. */
export const CLOSE = '\u{ffff}'

/** What a server said in each turn, and whether it closed the connection. */
export interface Transcript {
  readonly said: readonly string[]
  readonly closed: boolean
}

/** Whether the answer so far ends the turn. */
export const isAnswered = ({ awaits }: Turn, said: string): boolean =>
  awaits !== undefined && said.endsWith(awaits)
