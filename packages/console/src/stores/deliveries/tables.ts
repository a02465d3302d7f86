export interface DeliveryTables {
  /** The outbox and the delivery log in one: a message to one receiver, written in the transaction that raised it. */
  delivery: {
    /** Rises in the order of messages to a receiver. */
    delivery_id: number
    /** The `webhook-id` of every try, and of every replay. */
    message_id: string
    /** The delivery whose message this one sends again; 0 for none. */
    replay_of: number
    webhook_id: string
    flock_id: string
    /** An incident, what has become of it, a digest of several, a summary of a Bird's backlog, another receiver's end, or a week. */
    subject: 'incident' | 'acknowledged' | 'deleted' | 'digest' | 'backlog' | 'notice' | 'weekly'
    /** The incident; 0 for a subject that is about none. */
    incident_id: number
    /** A backlog's Bird (its id), or the content of a notice or a weekly summary, as JSON; else empty. */
    payload: string
    /** `folded`: part of the digest or summary that `folded_into` names. `dropped`: no longer wanted. */
    state: 'waiting' | 'delivered' | 'failed' | 'dropped' | 'folded'
    /** The `message_id` of the digest or summary that holds this one. */
    folded_into: string
    attempts: number
    /** Sent without attacker text after the head of a queue failed for its own sake. */
    reduced: number
    /** Some of its recipients have it; 1 or 0. */
    partly_sent: number
    /** Not tried before this. */
    next_at: number
    created_at: number
    delivered_at: number | null
    /** The HTTP status of the last try; 0 when there was no answer. */
    status: number
    /** Why the last try failed, or why it was dropped. */
    reason: string
  }
}
