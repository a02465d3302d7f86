// A message, whatever its receiver. Every text in it is sanitized: no character acts. What else a target reads as more
// than text is escaped by the kind of receiver.

interface Common {
  /** What happened, in a few words. */
  readonly description: string
  /** The same in a sentence. */
  readonly intro: string
  readonly at: number
  readonly flock: { readonly id: string; readonly name: string }
  /** The console's own address; empty where it has none for people. */
  readonly consoleUrl: string
  /** Sent after the whole message was refused: not a word of it came from outside. */
  readonly reduced: boolean
}

/** A new incident, or the dummy one that tests a receiver. */
export interface IncidentMessage extends Common {
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
  readonly token:
    | {
        readonly memo: string
        /** Where it was put, as the token says now; empty where nobody said. */
        readonly placement: string
        readonly triggered: number
      }
    | undefined
  readonly incident: { readonly hash: string; readonly key: string }
  readonly logtype: string
  /** What has become of an incident that was notified of before; missing: it is new. Only kinds that follow states get it. */
  readonly state?: 'acknowledged' | 'deleted'
  readonly events: number
  /** Annotations that explain it: name to text and link. */
  readonly annotations: Readonly<Record<string, readonly string[]>>
  /** What such an incident means; empty where its logtype does not say. */
  readonly meaning: string
  /** What to do next, in steps, each a sentence. */
  readonly next: readonly string[]
  /** The first event's fields, those that tell most first. */
  readonly details: readonly Fact[]
}

/** Many incidents in one: what exceeded a receiver's minute, or what a Bird brought after a silence. */
export interface SummaryMessage extends Common {
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
export interface NoticeMessage extends Common {
  readonly subject: 'notice'
  readonly details: readonly Fact[]
}

/** What a week brought, on Mondays. */
export interface WeeklyMessage extends Common {
  readonly subject: 'weekly'
  readonly sections: readonly { readonly title: string; readonly facts: readonly Fact[] }[]
}

export type Message = IncidentMessage | SummaryMessage | NoticeMessage | WeeklyMessage

export type Fact = readonly [label: string, value: string]
