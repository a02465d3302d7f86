// What all kinds take: a memo, a Flock, and a domain of the caller's own.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { ADMIN, engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const all: readonly TokenDescriptor[] = descriptors
const DOMAIN = 'files.example.org'
/** Where tokens are met whose callers give no domain. */
const OWN_HOSTS = /127\.0\.0\.1|localhost/

interface Answer {
  readonly message?: string
  readonly decoytoken?: {
    readonly decoytoken: string
    readonly memo: string
    readonly flock_id: string
    readonly hostname: string
    readonly url: string
    readonly renders: Readonly<Record<string, string>>
  }
}

async function create(rookery: TestConsole, kind: TokenDescriptor, flockId: string): Promise<Answer> {
  const form = new FormData()
  const params = { kind: kind.kind, memo: `m ${kind.kind}`, flock_id: flockId, custom_domain: DOMAIN }
  for (const [name, value] of Object.entries({ ...params, ...kind.example.settings }))
    if (value.startsWith('@')) {
      const path = fileURLToPath(new URL(`../../../../../${value.slice(1)}`, import.meta.url))
      form.append(name, new File([readFileSync(path)], basename(path)))
    } else form.append(name, value)
  const url = `${rookery.console.apiUrl}/api/v1/decoytoken/create`
  const response = await fetch(url, { method: 'POST', headers: { 'X-Auth-Token': ADMIN }, body: form })
  return (await response.json()) as Answer
}

it.each(engines)(
  'each kind is made with a memo, in a Flock, and is met below the domain that is given (%s)',
  async (engine) => {
    const rookery = await openTestConsole({ engine })
    const { flock_id } = await rookery.api.flocks.create({ name: 'Branch' })
    for (const kind of all) {
      const { decoytoken, message } = await create(rookery, kind, flock_id)
      if (kind.provider && decoytoken === undefined) {
        expect(message, kind.kind).toContain('is not configured: set ROOKERY_')
        continue
      }
      expect(message, kind.kind).toBeUndefined()
      const { decoytoken: id, memo, hostname, url, renders, ...rest } = decoytoken ?? lost(kind)
      expect([memo, rest.flock_id, hostname], kind.kind).toEqual([
        ...[`m ${kind.kind}`, flock_id, `${id}.${DOMAIN}`],
      ])
      expect(new URL(url).hostname, kind.kind).toBe(DOMAIN)
      for (const [name, text] of Object.entries(renders))
        expect(text, `${kind.kind} ${name}`).not.toMatch(OWN_HOSTS)
    }
  },
)

function lost({ kind }: TokenDescriptor): never {
  throw new Error(`${kind} was not created.`)
}
