// What one login by the protocol of PostgreSQL carries, and what its sender gets.
import type { VisitBase } from '../../channel.ts'

export interface PostgresLogin {
  readonly user: string
  /** The user, where the client names none. */
  readonly database: string
  /** Empty where the client does not say it. */
  readonly applicationName: string
}

export interface PostgresVisit extends VisitBase, PostgresLogin {
  readonly channel: 'postgres'
}

/** A FATAL error, as the manual's appendix A lists them, and where the server's source raises it. */
export interface PostgresAnswer {
  /** The SQLSTATE, five characters. */
  readonly code: string
  readonly message: string
  readonly raisedBy: { readonly file: string; readonly line: number; readonly routine: string }
}
