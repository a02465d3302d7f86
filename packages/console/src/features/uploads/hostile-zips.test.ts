// Bad zips from the console to a real Bird: the job says what is wrong and where, and the site stays as it was.
import { expect, it } from 'vitest'
import { zipEntry, type ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { portOf, realBird, when } from '../../../test/real-bird.ts'
import { openTestConsole } from '../../../test/test-console.ts'

const UNIX = 3 << 8
const page = zipEntry('index.html', 'new')
const zipOf = (...entries: readonly ZipEntry[]): Buffer => writeZip([page, ...entries])
const named = (...names: readonly string[]): Buffer => zipOf(...names.map((name) => zipEntry(name, 'x')))
const whole = zipOf(zipEntry('logo.png', 'x'.repeat(2_000)))
const typed = (type: number): Buffer =>
  zipOf(zipEntry('file', '/etc/passwd', { madeBy: UNIX | 20, attributes: (type << 16) >>> 0 }))
/** The same bytes with another 16-bit number in all headers of this kind. */
function patched(zip: Buffer, signature: string, offset: number, value: number): Buffer {
  const copy = Buffer.from(zip)
  for (let at = copy.indexOf(signature, 0, 'latin1'); at >= 0; at = copy.indexOf(signature, at + 1, 'latin1'))
    copy.writeUInt16LE(value, at + offset)
  return copy
}
const LOCAL = 'PK\x03\x04'
const CENTRAL = 'PK\x01\x02'
const END = 'PK\x05\x06'

/** A zip, and what its reason says. */
const BAD: Readonly<Record<string, readonly [Buffer, string]>> = {
  'a bomb': [zipOf(zipEntry('zeros', Buffer.alloc(12 * 1024 * 1024))), 'compressed at most 100 times'],
  'a bomb that says it is small': [
    zipOf({ ...zipEntry('zeros', Buffer.alloc(12 * 1024 * 1024)), size: 20_000 }),
    'whose zeros has the size and the checksum',
  ],
  'more than a site may have': [
    zipOf({ ...zipEntry('big', 'x'), size: 16 * 1024 * 1024 }),
    'at most 16777216 bytes once unpacked',
  ],
  'too many entries': [
    named(...Array.from({ length: 5_000 }, (_, n) => String(n))),
    'at most 4000 entries, not 5001',
  ],
  'cut off': [whole.subarray(0, -30), 'a ZIP archive that is whole'],
  'without its beginning': [whole.subarray(30), 'a ZIP archive that is whole'],
  'no zip': [Buffer.from('<h1>new</h1>'), 'a ZIP archive that is whole'],
  'the beginning of an end': [Buffer.from(`${END}\0\0\0\0\0\0\0\0`, 'latin1'), 'a ZIP archive that is whole'],
  'a path upwards': [
    named('../up', 'a/../../up'),
    '"../up" has an empty part, "." or ".." in its path, "a/../../up" has',
  ],
  'an absolute path': [named('/etc/cron.d/x'), '"/etc/cron.d/x" is an absolute path'],
  'a drive': [named('C:/x', 'c:x'), '"C:/x" names a drive, "c:x" names a drive'],
  'a backslash': [named('a\\..\\x'), 'has a backslash'],
  'a NUL': [named('x\0.html'), '"x\\u0000.html" has a control character'],
  'a link': [typed(0o120777), '"file" is a link or a device'],
  'a device': [typed(0o020666), '"file" is a link or a device'],
  'the same name in another case': [named('INDEX.HTML'), 'distinct names'],
  'a file that is a folder, too': [named('index.html/x'), 'clashes with "index.html"'],
  encrypted: [patched(patched(whole, CENTRAL, 8, 1), LOCAL, 6, 1), 'not encrypted'],
  'another method': [patched(whole, CENTRAL, 10, 12), 'not by method 12'],
  'a wrong sum': [
    zipOf({ ...zipEntry('logo.png', 'x'), crc: 7 }),
    'whose logo.png has the size and the checksum',
  ],
  'overlapping entries': [patched(patched(whole, CENTRAL, 42, 0), CENTRAL, 44, 0), 'do not overlap'],
  'no file': [writeZip([zipEntry('empty/', '')]), 'at least one file'],
  'many bad names': [named(...Array.from({ length: 30 }, (_, n) => `/${n}`)), 'and 10 more'],
}

it('of each bad zip the job says the reason, and nothing of it is shown', { timeout: 120_000 }, async () => {
  const rookery = await openTestConsole()
  const bird = await realBird(rookery.console.linkUrl, await rookery.console.enrolLocalBird())
  await when(bird, () => portOf(bird, 'http') > 0)
  const node_id = bird.state().nodeId ?? ''
  const { webrootStart, webrootStatus } = rookery.api.uploads
  const upload = async (body: Buffer) => {
    const { url = '', password = '', job_id = '' } = await webrootStart({ node_id })
    const Authorization = `Basic ${Buffer.from(`upload:${password}`).toString('base64')}`
    const { status } = await fetch(url, { method: 'PUT', headers: { Authorization }, body })
    expect(status).toBe(200)
    let job = await webrootStatus({ node_id })
    await expect.poll(async () => (job = await webrootStatus({ node_id })).type).toBe('End')
    expect(job.job_id).toBe(job_id)
    return job
  }
  const shown = async (): Promise<string> => (await fetch(`http://127.0.0.1:${portOf(bird, 'http')}/`)).text()
  expect(await upload(writeZip([zipEntry('index.html', 'mine')]))).toMatchObject({ outcome: 'applied' })
  await expect.poll(shown).toBe('mine')
  for (const [what, [zip, reason]] of Object.entries(BAD)) {
    const { outcome, reason: said } = await upload(zip)
    expect([what, outcome, said]).toEqual([what, 'failed', expect.stringContaining(reason)])
    expect([what, await shown()]).toEqual([what, 'mine'])
  }
  expect(await upload(whole)).toMatchObject({ outcome: 'applied' })
  await expect.poll(shown).toBe('new')
})
