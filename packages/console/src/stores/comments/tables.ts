export type Verdict = 'intruder' | 'test' | 'harmless'

export interface CommentTables {
  /** What people said of an incident, and what it turned out to be. */
  incident_comment: {
    comment_id: string
    incident_id: number
    at: number
    /** The id of a key, or the address of a person. */
    author: string
    /** Empty where there is a verdict alone, and where the bulk action has the words. */
    text: string
    verdict: Verdict | null
    /** The bulk action that it came with; empty for none. */
    batch_id: string
  }
}
