// Every operation that changes something leaves its row in the audit trail, and no secret with it: asked of the registry,
// with the examples of the contract, so that a new operation cannot be forgotten.
import { actionType } from '@rookery/contract/action-type.ts'
import { fillExample, standInsOf } from '@rookery/contract/examples.ts'
import type { Secrecy } from '@rookery/contract/fields.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Example, Group, Operation } from '@rookery/contract/operation.ts'
import { expect, it } from 'vitest'
import type { AuditRow } from '../src/stores/audit/chain.ts'
import { readAudit } from '../src/stores/audit/store.ts'
import { verifyAudit } from '../src/stores/audit/verify.ts'
import { originOf } from './factors.ts'
import { openExemplary, calledAs, isForPeople, tidyUp } from './exemplary.ts'
import { ADMIN, type TestConsole } from './test-console.ts'
import { plantAgain, type Seed } from './seed.ts'

const everyGroup: Readonly<Record<string, Group>> = groups

async function newest(rookery: TestConsole): Promise<AuditRow> {
  const [row] = await readAudit(rookery.console.base.reader, 'all', {}, 'newest', 1)
  if (!row) throw new Error('the trail is empty')
  return row
}

/** Values of parameters that are marked as secret; of a URL, what stands behind its host. */
function secretsOf({ params }: Operation, given: Readonly<Record<string, unknown>>): string[] {
  const marked = Object.entries(params.properties as Readonly<Record<string, { readonly secret?: Secrecy }>>)
  return marked.flatMap(([name, { secret }]) => {
    const value = given[name]
    if (secret === undefined || value === undefined) return []
    if (secret === 'whole' || !URL.canParse(String(value))) return [String(value)]
    const { pathname, search } = new URL(String(value))
    return [pathname + search].filter((rest) => rest.length > 1)
  })
}

const isByPerson = ({ role }: Operation): boolean => role === 'nobody' || role === 'person'

function send(
  rookery: TestConsole,
  { method, path }: Operation,
  params: Example,
  headers: Record<string, string>,
): Promise<Response> {
  const body = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  )
  // Passkeys work at names alone.
  const origin = path.includes('passkey') ? originOf(rookery) : rookery.console.apiUrl
  return fetch(`${origin}/api/v1${path}`, { method, headers, body })
}

it.each(Object.entries(everyGroup))(
  'each call that changes something in %s leaves one row, and no secret',
  async (_name, group) => {
    // Signing in changes no setting and leaves its row all the same; options of a passkey sign nobody in.
    const changing = Object.values(group).filter(
      (each) =>
        each.method !== 'GET' && (each.changes || (isByPerson(each) && !each.path.endsWith('/options'))),
    )
    if (changing.length === 0) return
    const rookery = await openExemplary('sqlite')
    const secrets = new Set([ADMIN])
    let seed: Partial<Seed> = {}
    let spentBy: string | undefined
    for (const operation of changing) {
      seed = await plantAgain(rookery, seed, standInsOf(operation.example), spentBy)
      spentBy = operation.path
      const params = fillExample(operation.example, seed)
      for (const secret of [seed.factory_auth ?? ADMIN, ...secretsOf(operation, params)]) secrets.add(secret)
      const isFactory = operation.role === 'factory' && 'factory_auth' in params
      const asked = isForPeople(operation)
        ? await calledAs(rookery, operation, params)
        : { headers: isFactory ? {} : { 'X-Auth-Token': ADMIN }, params }
      const before = await newest(rookery)
      const answer = await send(rookery, operation, asked.params, asked.headers)
      const failure = `${operation.method} ${operation.path}: ${await answer.text()}`
      expect(answer.status, failure).toBe(200)
      const row = await newest(rookery)
      expect([row.id, row.action_type], failure).toEqual([before.id + 1, actionType(operation)])
      expect(row.message, failure).toMatch(/^[A-Z].*\.$/)
      // People stand there with their address, keys with their id.
      expect(row.actor, failure).toMatch(isByPerson(operation) ? /^\w+-\d+@example\.com$/ : /^[0-9a-f]{8}$/)
      expect(row.actor_ip, failure).toBe('127.0.0.1')
      await tidyUp(rookery, operation.path, params)
    }

    const { reader, vault } = rookery.console.base
    const rows = await readAudit(reader, 'all', {}, 'oldest', 10_000)
    const events = await reader.selectFrom('incident_event').select('body').execute()
    const kept = [...rows.map(({ message }) => message), ...events.map(({ body }) => body)]
    for (const secret of secrets) expect(kept.filter((text) => text.includes(secret))).toEqual([])
    expect((await verifyAudit(reader, vault)).failure).toBeUndefined()
  },
)
