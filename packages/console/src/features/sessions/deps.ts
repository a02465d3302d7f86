// What signing in by every way needs.
import { actionType } from '@rookery/contract/action-type.ts'
import type { Operation } from '@rookery/contract/operation.ts'
import type { AppContext } from '../../app-context.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import type { Call } from '../../http/call.ts'
import type { SignInRateLimit } from '../../http/sign-in-rate-limit.ts'

export interface SessionDeps extends Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world' | 'log'> {
  /** Where who asked at this address reaches the console by HTTPS; undefined if that is not known. */
  readonly httpsUrl: (askedUrl: string) => string | undefined
  readonly tokensUrl: string
  readonly signInRateLimit: SignInRateLimit
}

/** Rows of the trail under the address of who signs in. */
export const trailEntry =
  ({ clock }: Pick<AppContext['world'], 'clock'>, operation: Operation, actor: string, { address }: Call) =>
  (message: string): AuditEntry => ({
    at: clock.now(),
    action_type: actionType(operation),
    message,
    actor,
    actor_ip: address,
    flock_id: '',
    flock_name: '',
  })
