// Extension: enrolment codes over the API, as `rookery enrol` makes them on the console's own machine.
import { enrolments } from '@rookery/contract/groups/enrolments.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { required } from '@rookery/kernel/fault.ts'
import { std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import { newEnrolment } from '../../channels/link/enrol.ts'
import type { Call } from '../../http/call.ts'
import { addEnrolment, listEnrolments, removeEnrolment } from '../../stores/birds/enrolments.store.ts'
import { existingFlock } from '../../stores/flocks/store.ts'

const MINUTE_MS = 60_000

export const enrolmentsRoutes = (
  context: Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'>,
): Route<Call>[] => {
  const { reader, world } = context

  return implement(enrolments, {
    async create({ flock_id, uses, minutes }, { sharedUrl, caller, change, note }: Call) {
      const asked = { flockId: flock_id, uses, lifetimeMs: minutes * MINUTE_MS }
      const { code, row } = await newEnrolment(context, asked)
      note({ enrolment_id: row.enrolment_id })
      await change(async (tx) => {
        await existingFlock(tx.query, caller.scope, flock_id)
        await addEnrolment(tx, row)
      })
      return {
        enrolment_id: row.enrolment_id,
        code,
        command: `rookery bird --console ${sharedUrl} --enrol ${code}`,
      }
    },
    async revoke({ enrolment_id }, { caller, change }: Call) {
      await change(async (tx) => {
        const removed = await removeEnrolment(tx.query, caller.scope, enrolment_id)
        required(removed, 'Enrolment code does not exist.')
      })
      return {}
    },
    async list(_params, { caller }: Call) {
      const rows = await listEnrolments(reader, caller.scope, world.clock.now())
      return {
        enrolments: rows.map(({ enrolment_id, flock_id, uses_left, created_at, expires_at }) => ({
          enrolment_id,
          flock_id,
          uses_left,
          created_std: std(created_at),
          expires_std: std(expires_at),
        })),
      }
    },
  })
}
