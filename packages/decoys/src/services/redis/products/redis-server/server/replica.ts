// What a master knows of its stream of commands, and of each connection that may be a replica.

export interface Replication {
  /** How many ids came before the current one. */
  id: number
  /** The id that it had as a replica, until it has replicas of its own. */
  formerId: number | undefined
  formerOffset: number
  /** Bytes of the stream of commands so far. */
  offset: number
  /** It has had a replica: from then on commands that write are counted. */
  hasBacklog: boolean
  /** The database of the last one. */
  streamDb: number
  pingedAt: number
  fullSyncs: number
}

export const newReplication = (): Replication => ({
  id: 0,
  formerId: undefined,
  formerOffset: -1,
  offset: 0,
  hasBacklog: false,
  streamDb: 0,
  pingedAt: 0,
  fullSyncs: 0,
})

/** What a connection has said about itself as a replica, and how far it is served. */
export interface Replica {
  /** `delayed`: a server waits for further replicas before it sends its keys without a file. */
  phase: 'none' | 'delayed' | 'saving' | 'online'
  port: number
  address: string
  takesEof: boolean
  isPsync: boolean
  /** It goes once it has the keys. */
  wantsRdbOnly: boolean
  wantsFunctionsOnly: boolean
  acknowledged: number
  acknowledgedAt: number
  since: number
}

export const newReplica = (): Replica => ({
  phase: 'none',
  port: 0,
  address: '',
  takesEof: false,
  isPsync: false,
  wantsRdbOnly: false,
  wantsFunctionsOnly: false,
  acknowledged: 0,
  acknowledgedAt: 0,
  since: 0,
})
