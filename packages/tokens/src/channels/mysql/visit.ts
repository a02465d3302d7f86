// What one login by the protocol of MySQL carries, and what its sender gets.
import type { VisitBase } from '../../channel.ts'

export interface MysqlLogin {
  readonly user: string
  /** Empty where the client names none. */
  readonly database: string
  readonly hasPassword: boolean
  /** What the client says of itself (connection attributes); empty where it does not. */
  readonly clientVersion: string
  readonly os: string
  readonly program: string
}

export interface MysqlVisit extends VisitBase, MysqlLogin {
  readonly channel: 'mysql'
}

/** An error, as the manual lists them. */
export interface MysqlAnswer {
  readonly code: number
  /** Five characters. */
  readonly sqlState: string
  readonly message: string
}
