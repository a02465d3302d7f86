// What a message says, whichever way it goes. Every text in it is clean (no character acts); what else its target may
// take for more than text is escaped by the sender.

interface Said {
  /** What happened, in a few words. */
  readonly description: string
  /** The same in a sentence. */
  readonly intro: string
  readonly at: number
  readonly flock: { readonly id: string; readonly name: string }
  /** The console's own address. */
  readonly consoleUrl: string
  /** Sent after the whole message was refused: not a word of it came from outside. */
  readonly reduced: boolean
}

/** A new incident, or the dummy one that tests a receiver. */
export interface IncidentMessage extends Said {
  readonly subject: 'incident' | 'test'
  /** The decoy that was touched; for a token, the token. */
  readonly node: {
    readonly id: string
    readonly name: string
    readonly address: string
    /** -1 when it is not known. */
    readonly port: number
    readonly location: string
  }
  readonly source: { readonly address: string; readonly name: string }
  /** Undefined when a Bird was touched. */
  readonly token: { readonly memo: string; readonly triggered: number } | undefined
  readonly incident: { readonly hash: string; readonly key: string }
  readonly logtype: string
  readonly events: number
  /** Annotations that explain it: name to text and link. */
  readonly annotations: Readonly<Record<string, readonly string[]>>
  /** The first event's fields. */
  readonly details: readonly Fact[]
}

/** Many incidents in one: what exceeded a receiver's minute, or what a Bird brought after a silence. */
export interface SummaryMessage extends Said {
  readonly subject: 'digest' | 'backlog'
  /** The Bird whose backlog this is; undefined for a digest. */
  readonly bird: { readonly id: string; readonly name: string } | undefined
  readonly incidents: number
  readonly events: number
  readonly firstAt: number
  readonly lastAt: number
  /** What happened to whom, and how often; the most frequent first. */
  readonly groups: readonly Fact[]
}

/** Another receiver was switched off. */
export interface NoticeMessage extends Said {
  readonly subject: 'notice'
  readonly details: readonly Fact[]
}

/** What a week brought, on Mondays. */
export interface WeeklyMessage extends Said {
  readonly subject: 'weekly'
  readonly sections: readonly { readonly title: string; readonly facts: readonly Fact[] }[]
}

export type Message = IncidentMessage | SummaryMessage | NoticeMessage | WeeklyMessage

export type Fact = readonly [label: string, value: string]
