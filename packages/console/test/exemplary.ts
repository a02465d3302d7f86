// A console on which every example of the contract works: whatever it may ask outside is there, and pleased.
import type { Example } from '@rookery/contract/operation.ts'
import { SESSION_COOKIE } from '@rookery/kernel/session-cookie.ts'
import type { EngineName } from '../src/db/query.ts'
import { writeSetting } from '../src/stores/settings/store.ts'
import { signIn } from './person.ts'
import { plantAgain } from './seed.ts'
import { openTestConsole, type TestConsole } from './test-console.ts'

export const openExemplary = (engine: EngineName, lasts: 'test' | 'group' = 'test'): Promise<TestConsole> =>
  openTestConsole({
    engine,
    lasts,
    env: {
      ROOKERY_SMS_URL: 'https://sms.example.com/',
      ROOKERY_ASSETINV_URL: 'https://assets.example.com/export',
    },
    world: {
      outbound: { send: () => Promise.resolve({ status: 204, headers: {}, body: '' }) },
      mail: { send: () => Promise.resolve({ refused: [] }) },
    },
  })

/** The headers of an admin who has just signed in. */
export async function signedIn(rookery: TestConsole): Promise<Record<string, string>> {
  const { admin_email: email = '' } = await plantAgain(rookery, {}, ['admin_email'])
  const { halves } = await signIn(rookery, { email })
  return { Cookie: `${SESSION_COOKIE}=${halves.cookie}`, 'X-Rookery-Page': halves.page ?? '' }
}

/** Makes room for the next example: one is the switch of the whole API; another receiver than the seed's is there once. */
export async function tidyUp(rookery: TestConsole, path: string, params: Example): Promise<void> {
  if (path === '/settings/api/disable')
    await rookery.console.base.writer.write((tx) => writeSetting(tx, 'api_enabled', 'true'))
  if (!/\/(generic|teamchat)\/add$/.test(path)) return
  const receiver = { flock_id: String(params['flock_id']), url: String(params['url']) }
  await rookery.post(path.replace(/add$/, 'remove'), receiver)
}
