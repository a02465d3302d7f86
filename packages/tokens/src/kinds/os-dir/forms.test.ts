// What is planted instead of a folder, as programs of Windows read it.
import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import { readSettings } from '../../settings.ts'
import { parseXml } from '../../xml/parse.ts'
import { descriptor } from './descriptor.ts'
import forge from './forge.ts'
import folder from './token.ts'

const address = { tokenId: 'abc', url: 'http://t.example/abc/report.html', hostname: 'abc.t.example' }
const USER_HOST = '\\\\%USERNAME%.%COMPUTERNAME%.%USERDOMAIN%.ini.abc.t.example\\'
/** A folder of the icons of Windows. */
const ICON = '%SystemRoot%\\System32\\imageres.dll'

async function planted(form: string) {
  const settings = { os_dir_file: form }
  const { filename, contentType, bytes } = await forgeFile(forge, { address, settings })
  return {
    filename,
    contentType,
    bytes: Buffer.from(bytes),
    unc: folder.renders(address, settings)['unc'],
  }
}

/** Blocks of the extra data behind a link's strings, by signature (MS-SHLLINK, 2.5): ANSI and Unicode of their path. */
function pathBlocks(bytes: Buffer): ReadonlyMap<number, readonly string[]> {
  const blocks = new Map<number, readonly string[]>()
  for (let at = 0; bytes.readUInt32LE(at) !== 0; at += bytes.readUInt32LE(at)) {
    const [ansi, unicode] = [bytes.subarray(at + 8, at + 268), bytes.subarray(at + 268, at + 788)]
    const texts = [ansi.toString('latin1'), unicode.toString('utf16le')]
    blocks.set(
      bytes.readUInt32LE(at + 4),
      texts.map((it) => it.replace(/\0.*$/s, '')),
    )
  }
  return blocks
}

describe('a shortcut (lnk)', () => {
  it('opens a path that says who opens it, looks like a folder, and is the same each time', async () => {
    const { filename, contentType, bytes, unc } = await planted('lnk')
    expect((await planted('lnk')).bytes).toEqual(bytes)
    expect([filename, contentType]).toEqual([
      expect.stringMatching(/^[A-Z][\w ]+\.lnk$/),
      'application/x-ms-shortcut',
    ])
    expect(unc?.startsWith(USER_HOST)).toBe(true)
    // The header's size, and the class of links (2.1).
    expect(bytes.subarray(0, 20).toString('hex')).toBe('4c0000000114020000000000c000000000000046')
    const flags = bytes.readUInt32LE(20)
    // An icon, strings in Unicode, both paths with variables; no list of items, which names a target without them.
    expect(flags).toBe(0x02_00_42_c0)
    const icon = bytes.subarray(78, 78 + 2 * bytes.readUInt16LE(76)).toString('utf16le')
    expect(icon).toBe(ICON)
    expect(pathBlocks(bytes.subarray(78 + 2 * icon.length))).toEqual(
      new Map([
        [0xa0000001, [unc, unc]],
        [0xa0000007, [ICON, ICON]],
      ]),
    )
  })

  it('is refused for a domain that leaves its path no room, by the parameter', () => {
    const long = { ...address, hostname: `abc.${`${'a'.repeat(54)}.`.repeat(4)}example` }
    expect(() => folder.renders(long, { os_dir_file: 'lnk' })).toThrow('too long for a shortcut')
    expect(folder.renders(long, {})['unc']).toContain(long.hostname)
  })
})

it('an internet shortcut (url) opens the URL, and its icon says who looks at it', async () => {
  const { filename, bytes, unc } = await planted('url')
  expect(filename).toMatch(/\.url$/)
  expect(unc?.startsWith(USER_HOST)).toBe(true)
  expect(bytes.toString('latin1')).toBe(
    `[InternetShortcut]\r\nURL=${address.url}\r\nIconFile=${unc}\r\nIconIndex=0\r\n`,
  )
})

describe('a library (library-ms)', () => {
  it('is of one folder on the host of the token', async () => {
    const { filename, bytes, unc } = await planted('library-ms')
    expect(filename).toMatch(/\.library-ms$/)
    expect(unc).toMatch(/^\\\\files\.abc\.t\.example\\\w+$/)
    const { localName, namespace } = parseXml(bytes.toString())
    expect([localName, namespace]).toEqual([
      'libraryDescription',
      'http://schemas.microsoft.com/windows/2009/library',
    ])
    expect(bytes.toString()).toContain(`<url>${unc}</url>`)
  })

  it('fires once the name is whole; nobody is named by it', () => {
    const visit = (labels: string[]): DnsVisit => ({
      channel: 'dns',
      qtype: 'A',
      isNx: false,
      network: '192.0.2.0/24',
      labels,
      qname: [...labels, address.hostname].join('.'),
      srcHost: '192.0.2.7',
      dstPort: 53,
      headers: {},
    })
    const { judge, describe: fields } = folder.on.dns ?? {}
    for (const labels of [[], ['www'], ['a', 'files']])
      expect(judge?.(visit(labels), {}, 0), labels.join()).toBe('quiet')
    expect(judge?.(visit(['files']), {}, 0)).toBe('fire')
    const keys = Object.keys(fields?.(visit(['files']), {}, 0) ?? {})
    expect(keys).toEqual(['qtype', 'qname', 'src_host_is_resolver'])
  })
})

it('another form is refused by name', () => {
  expect(readSettings(descriptor, { os_dir_file: 'url' })).toEqual({ os_dir_file: 'url' })
  expect(() => readSettings(descriptor, { os_dir_file: 'scf' })).toThrow('os_dir_file')
})
