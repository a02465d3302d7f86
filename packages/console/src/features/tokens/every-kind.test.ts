// What all kinds take: a memo, a Flock, and a domain of the caller's own. None gives away what it is.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { readZip, unpack } from '@rookery/kernel/zip/read.ts'
import { downloadToken } from '../../../test/download-token.ts'
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

type Common = Readonly<Record<'memo', string> & Partial<Record<'flock_id' | 'custom_domain', string>>>

/** As the page of the kinds creates it. */
async function create(
  rookery: TestConsole,
  { kind, example }: TokenDescriptor,
  common: Common,
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ kind, ...common, ...example.settings }))
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
      const { decoytoken, message } = await create(rookery, kind, {
        memo: `m ${kind.kind}`,
        flock_id,
        custom_domain: DOMAIN,
      })
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

/** Words that would give it away, as text of one or two bytes a character. */
const GIVEAWAYS = /(r.?o.?o.?k.?e.?r.?y|d.?e.?c.?o.?y|h.?o.?n.?e.?y.?(t.?o.?k|p.?o.?t))/is
const MEMO = 'where it was planted'

/** The bytes of a file, and of what lies in it where it is an archive or compressed. */
function contentsOf(file: Buffer): string[] {
  const isZip = file.subarray(0, 2).toString('latin1') === 'PK'
  const isGzip = file.readUInt16BE(0) === 0x1f8b
  const inner = isZip
    ? readZip(file, { entries: 100, unpackedBytes: 10_000_000, ratio: 100 }).map((it) =>
        unpack(it, 10_000_000),
      )
    : isGzip
      ? [gunzipSync(file)]
      : []
  return [file, ...inner].map((bytes) => bytes.toString('latin1'))
}

it('no artefact and no answer to a visitor names the product, or says what it is', async () => {
  const rookery = await openTestConsole()
  const { tokensUrl = '' } = rookery.console
  for (const kind of all) {
    const { decoytoken } = await create(rookery, kind, { memo: MEMO })
    if (!decoytoken) continue
    const files = kind.downloads ? contentsOf(await downloadToken(rookery, decoytoken.decoytoken)) : []
    const answers = await Promise.all(
      ['text/html', '*/*'].map(async (Accept) => {
        const at = new URL(new URL(decoytoken.url).pathname, tokensUrl)
        const { headers, text } = await rawAnswer(at, Accept)
        return `${headers}\n${text}`
      }),
    )
    for (const text of [...Object.values(decoytoken.renders), ...files, ...answers]) {
      expect(GIVEAWAYS.exec(text)?.[0], kind.kind).toBeUndefined()
      expect(text, kind.kind).not.toContain(MEMO)
    }
  }
})

async function rawAnswer(url: URL, Accept: string) {
  const response = await fetch(url, { headers: { Accept }, redirect: 'manual' })
  return { headers: [...response.headers].join('\n'), text: await response.text() }
}

function lost({ kind }: TokenDescriptor): never {
  throw new Error(`${kind} was not created.`)
}
