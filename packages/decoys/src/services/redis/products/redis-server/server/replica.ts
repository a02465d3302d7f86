// What a connection has said about itself as a replica, and how far it is served.
export interface Replica {
  /** `delayed`: a server waits for further replicas before it sends its keys without a file. */
  phase: 'none' | 'delayed' | 'saving' | 'online'
  takesEof: boolean
  isPsync: boolean
  /** It goes once it has the keys. */
  wantsRdbOnly: boolean
  wantsFunctionsOnly: boolean
  since: number
}

export const newReplica = (): Replica => ({
  phase: 'none',
  takesEof: false,
  isPsync: false,
  wantsRdbOnly: false,
  wantsFunctionsOnly: false,
  since: 0,
})
