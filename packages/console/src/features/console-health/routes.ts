// Extension: the disk and the certificates of this console, for people who cannot run `rookery doctor`.
import { consoleHealth } from '@rookery/contract/groups/console-health.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Answer } from '@rookery/contract/operation.ts'
import type { Call } from '../../http/call.ts'

export interface ConsoleHealthDeps {
  /** What is well with the disk and the certificates of this console, and what is wrong. */
  readonly examineHouse: () => Promise<Answer<(typeof consoleHealth)['read']>['findings']>
}

export const consoleHealthRoutes = ({ examineHouse }: ConsoleHealthDeps): Route<Call>[] =>
  implement(consoleHealth, { read: async () => ({ findings: await examineHouse() }) })
