/** `app` is the Bird's own program. */
export type TransferKind = 'webroot' | 'share' | 'app'

export interface TransferTables {
  /** A job that brings a file to a Bird. The row is the truth: the console that holds the link brings the Bird in line with it. */
  bird_transfer: {
    job_id: string
    node_id: string
    kind: TransferKind
    /**
     * `waiting` for the Bird, which then is `ready`; `sending` once it is offered the file; `cancelling` until the Bird says how
     * a job ended that it may have begun; `applied` and `failed` for good.
     */
    state: 'waiting' | 'ready' | 'sending' | 'cancelling' | 'applied' | 'failed'
    /** Of `stored_file`; empty until it is there, and once the job has ended. */
    file_id: string
    /** Of the file; 0 until it is there. */
    size: number
    /** Bytes that the Bird has. */
    copied: number
    /** Why it failed or is cancelled; else empty. */
    reason: string
    /** The process of the Bird that carries it out; 0 until the Bird has said. */
    pid: number
    /** Of who uploads the file, sealed; empty where nobody does, and once the job has ended. */
    password: string
    /** Wrong passwords that were tried. */
    wrong_passwords: number
    /** Settings that the Bird gets when it has applied the file, as a JSON object. */
    settings: string
    /** The release of an `app`; else empty. */
    update_tag: string
    /** From where the Bird fetches an `app`: empty for its link, `console` for a link of the console by HTTP, else the URL of a mirror, sealed. */
    source: string
    created_at: number
    /** When it is cancelled if no byte comes before. */
    deadline_at: number
    updated_at: number
    /** Null while it is open. */
    ended_at: number | null
  }
}
