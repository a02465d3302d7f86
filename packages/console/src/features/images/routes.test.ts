import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { shortKeyHash } from '@rookery/link/pairing.ts'
import { readZip, unpack } from '@rookery/kernel/zip/read.ts'
import { helloBird } from '../../../test/link-bird.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const BYTES = Buffer.from(Array.from({ length: 200_000 }, (_, n) => n % 251))

function putImages({ console }: TestConsole, ...names: string[]): void {
  mkdirSync(console.folder.images, { recursive: true })
  for (const name of names) writeFileSync(join(console.folder.images, name), BYTES)
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())
const part = (url: string, range: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers: { Range: range, ...more } })

describe('images', () => {
  it('are downloaded by a link that needs no key, whole, in parts, or not at all', async () => {
    const rookery = await openTestConsole()
    putImages(rookery, 'rookery-bird-3.0.0.ova', 'rookery-bird-3.0.0.vhdx.zip')
    const { link, size, filename } = await rookery.api.images.vmaDownload({ version: '3.0.0', format: 'ova' })
    expect([size, filename]).toEqual([BYTES.length, 'rookery-bird-3.0.0.ova'])
    expect(link.startsWith(`${rookery.console.apiUrl}/download/rookery-bird-3.0.0.ova?link=`)).toBe(true)
    const whole = await fetch(link)
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename=rookery-bird-3.0.0.ova')
    expect((await bytesOf(whole)).equals(BYTES)).toBe(true)

    const head = await fetch(link, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      ...[200, String(BYTES.length), 'bytes'],
    ])
    for (const [range, from, to] of [
      ['bytes=100000-', 100_000, BYTES.length],
      ['bytes=0-0', 0, 1],
      ['bytes=199990-999999', 199_990, BYTES.length],
      ['bytes=-10', BYTES.length - 10, BYTES.length],
    ] as const) {
      const answer = await part(link, range)
      expect([answer.status, answer.headers.get('content-range')]).toEqual([
        ...[206, `bytes ${from}-${to - 1}/${BYTES.length}`],
      ])
      expect((await bytesOf(answer)).equals(BYTES.subarray(from, to)), range).toBe(true)
    }
    const outside = await part(link, `bytes=${BYTES.length}-`)
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${BYTES.length}`])
    expect(await outside.json()).toMatchObject({ message: expect.stringContaining('200000 bytes') as string })
  })

  it('are not glued together from two builds: a part of another one is the whole', async () => {
    const rookery = await openTestConsole()
    putImages(rookery, 'rookery-bird-3.0.0.vmx.zip')
    const { link } = await rookery.api.images.vmaDownload({ version: '3.0.0' })
    const etag = (await fetch(link, { method: 'HEAD' })).headers.get('etag') ?? ''
    expect((await part(link, 'bytes=5-', { 'If-Range': etag })).status).toBe(206)
    expect((await part(link, 'bytes=5-', { 'If-Range': '"another"' })).status).toBe(200)
  })

  it('have links for an hour, which nobody can make, change or use for another file', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ world: { clock } })
    putImages(rookery, 'rookery-bird-3.0.0.vhdx.zip')
    const { link } = await rookery.api.images.vmbDownload({ version: '3.0.0', format: 'zip' })
    const reply = async (url: string): Promise<[number, unknown]> => {
      const answer = await fetch(url)
      return [answer.status, ((await answer.json()) as { message: string }).message]
    }
    const none = [404, 'This is no link of this console. Ask for another one.']
    const { pathname } = new URL(link)
    expect(await reply(`${rookery.console.apiUrl}${pathname}`)).toEqual(none)
    expect(await reply(link.slice(0, -4) + 'AAAA')).toEqual(none)
    const { auth_token } = (await rookery.api.apiKeys.list()).global_api_keys[0] ?? {}
    expect(await reply(`${rookery.console.apiUrl}/download/x?link=${auth_token}`)).toEqual(none)
    expect((await fetch(link.replace('rookery-bird', 'other'))).headers.get('content-disposition')).toBe(
      'attachment; filename=rookery-bird-3.0.0.vhdx.zip',
    )
    const before = rookery.console.apiUrl ?? ''
    await rookery.restart()
    const after = link.replace(before, rookery.console.apiUrl ?? '')
    expect((await bytesOf(await fetch(after))).equals(BYTES)).toBe(true)
    clock.advance(3_600_000)
    expect(await reply(after)).toEqual([403, expect.stringContaining('expired: a link is good for an hour')])
  })

  it('that are not there are named: none at all, another release, another format', async () => {
    const rookery = await openTestConsole()
    const ask = async (path: string, params: Record<string, string>): Promise<unknown[]> => {
      const { status, json } = await rookery.get(path, params)
      return [status, json['details'] ?? json['message']]
    }
    const none = expect.stringMatching(
      /^The console has no image of a Bird\. .*`rookery image build`/,
    ) as string
    for (const path of ['/vmadecoy/download', '/vmadecoy/downloadseed', '/vmbdecoy/downloadseed'])
      expect(await ask(path, { version: '3.0.0' })).toEqual([409, none])
    putImages(
      rookery,
      'rookery-bird-3.0.0.ova',
      'rookery-bird-3.1.0.ova',
      'rookery-bird-3.2.0.ova.unfinished',
    )
    for (const path of ['/vmadecoy/download', '/vmbdecoy/downloadseed'])
      expect(await ask(path, { version: '3.2.0' })).toEqual([
        ...[404, 'There is no image of release "3.2.0"; the console has images of 3.0.0, 3.1.0.'],
      ])
    expect(await ask('/vmadecoy/download', { version: '../../etc', format: 'ova' })).toMatchObject([404, {}])
    expect(await ask('/vmadecoy/download', { version: '3.0.0', format: 'vmx' })).toEqual([
      ...[409, expect.stringMatching(/no \.vmx\.zip image of release 3\.0\.0\. .*`rookery image build`/)],
    ])
    expect(await ask('/vmadecoy/download', { version: '3.0.0', format: 'qcow2' })).toEqual([
      ...[400, { format: 'must be one of vmx, ova, not "qcow2"' }],
    ])
    expect(await ask('/vmbdecoy/download', { version: '3.0.0' })).toMatchObject([400, {}])
  })
})

/** A seed as its link gives it. */
async function seedOf(rookery: TestConsole, kind: 'vma' | 'vmb'): Promise<Buffer> {
  const { seedlink } = await rookery.api.images[`${kind}Seed`]({ version: '3.0.0' })
  expect(seedlink.startsWith(`${rookery.console.apiUrl}/download/rookery-seed.`)).toBe(true)
  const bytes = await bytesOf(await fetch(seedlink))
  // The same at each try: else a download that goes on would end as another disk.
  expect((await bytesOf(await fetch(seedlink))).equals(bytes)).toBe(true)
  return bytes
}

const DISK_BYTES = 1_048_576

describe.each(engines)('a seed disk (%s)', (engine) => {
  it('brings one Bird into the default Flock, and says where its console is', async () => {
    const rookery = await openTestConsole({ engine })
    putImages(rookery, 'rookery-bird-3.0.0.ova')
    const { linkUrl = '', apiUrl, base } = rookery.console
    const zip = await seedOf(rookery, 'vma')
    const [descriptor, flat] = readZip(zip, { entries: 2, unpackedBytes: 2 ** 21, ratio: 2_000 })
    const disk = unpack(flat!, DISK_BYTES)
    expect([descriptor?.name, flat?.name, disk.length]).toEqual([
      ...['rookery-seed.vmdk', 'rookery-seed-flat.vmdk', DISK_BYTES],
    ])
    expect(unpack(descriptor!, 4096).toString()).toContain('RW 2048 FLAT "rookery-seed-flat.vmdk" 0\n')

    const [mark, console, enrol, rest = ''] = disk.toString('latin1').split('\n')
    expect([mark, console, /^\0+$/.test(rest)]).toEqual(['ROOKERY-SEED 1', `ROOKERY_CONSOLE=${apiUrl}`, true])
    const { secret, consoleKeyHash } = parseEnrolment(enrol?.replace('ROOKERY_ENROL=', '') ?? '')
    const bird = await helloBird(linkUrl, { enrol: secret })
    expect(consoleKeyHash).toBe(shortKeyHash(bird.consoleKey))
    const { nodeId } = await bird.receives('COMMISSIONED')
    const { device } = await rookery.api.birdQueries.info({ node_id: nodeId })
    expect(device['flock_id']).toBe('flock:default')
    const second = await helloBird(linkUrl, { enrol: secret })
    expect(await second.receives('REFUSED')).toMatchObject({ reason: 'bad-enrolment' })

    const [row] = (await rookery.api.auditTrail.fetch({})).audit_trail
    expect(row).toMatchObject({ action_type: 'images.vma_seed' })
    expect(JSON.stringify(await base.reader.selectFrom('enrolment').selectAll().execute())).not.toContain(
      secret,
    )
  })

  it('for Hyper-V is the bytes and a footer, with a code of its own that ends within a day', async () => {
    const rookery = await openTestConsole({ engine })
    putImages(rookery, 'rookery-bird-3.0.0.ova')
    const [one, other] = [await seedOf(rookery, 'vmb'), await seedOf(rookery, 'vmb')]
    expect(one.length).toBe(DISK_BYTES + 512)
    expect(one.equals(other)).toBe(false)
    const footer = Buffer.from(one.subarray(DISK_BYTES))
    expect([footer.toString('latin1', 0, 8), footer.readBigUInt64BE(48)]).toEqual(['conectix', 1_048_576n])
    const sum = footer.readUInt32BE(64)
    footer.fill(0, 64, 68)
    expect(sum).toBe(~footer.reduce((total, byte) => total + byte, 0) >>> 0)
    const { enrolments } = await rookery.api.enrolments.list()
    const now = rookery.console.base.world.clock.now()
    expect(enrolments.map(({ uses_left }) => uses_left)).toEqual([1, 1])
    for (const { expires_std } of enrolments)
      expect(Math.abs(Date.parse(expires_std.replace(' UTC+0000', 'Z')) - now - 86_400_000)).toBeLessThan(
        60_000,
      )
  })
})
