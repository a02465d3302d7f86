export interface DeliveryTables {
  /** The outbox and the delivery log in one: a message to one receiver, written in the transaction that raised it. */
  delivery: {
    /** Rises in the order of messages to a receiver. */
    delivery_id: number
    /** The `webhook-id` of every try. */
    message_id: string
    webhook_id: string
    flock_id: string
    /** What the message says: an incident, a digest of several, a summary of a backlog. */
    subject: 'incident' | 'digest' | 'backlog'
    /** The incident; 0 for a digest. */
    incident_id: number
    /** What a digest or backlog summary counts, as JSON. */
    payload: string
    state: 'waiting' | 'delivered' | 'failed' | 'dropped' | 'folded'
    attempts: number
    /** Sent without attacker text after the head of a queue failed for its own sake. */
    reduced: number
    next_at: number
    created_at: number
    delivered_at: number | null
    status: number
    reason: string
  }
}
