import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import { readZip, unpack } from '@rookery/kernel/zip/read.ts'
import forge from './forge.ts'
import { PAYLOAD } from './payload.ts'
import folder from './token.ts'

const address = { tokenId: 'abc', url: 'http://t.example/abc', hostname: 'abc.t.example' }
const UNC = folder.renders(address, {})['unc'] ?? ''

const visit = (name: string): DnsVisit => ({
  channel: 'dns',
  qtype: 'A',
  isNx: false,
  network: '192.0.2.0/24',
  qname: `${name}.abc.t.example`,
  labels: name.split('.'),
  srcHost: '192.0.2.7',
  dstPort: 53,
  headers: {},
})
const judged = (name: string) => folder.on.dns?.judge?.(visit(name), {}, 0)

describe('the os-dir kind', () => {
  it('makes a system folder with a hidden desktop.ini, the same each time', async () => {
    const { filename, bytes } = await forgeFile(forge, { address })
    expect(await forgeFile(forge, { address })).toMatchObject({ filename, bytes })
    const [root, ini] = readZip(Buffer.from(bytes), { entries: 2, unpackedBytes: 1_000, ratio: 10 })
    expect([root?.name, root?.attributes, root?.madeBy]).toEqual([filename.replace('.zip', '/'), 16 | 4, 20])
    expect([ini?.name, ini?.attributes]).toEqual([`${root?.name}desktop.ini`, 32 | 4 | 2])
    const text = ini && unpack(ini, 1_000).toString('utf16le')
    expect(text).toBe(`\ufeff[.ShellClassInfo]\r\nIconResource=${UNC},0\r\n`)
    expect(UNC).toMatch(
      /^\\\\%USERNAME%\.%COMPUTERNAME%\.%USERDOMAIN%\.ini\.abc\.t\.example\\\w+\.(dll|ico|icl)$/,
    )
  })

  it('names its icon unlike those of other tokens', () => {
    const files = Array.from({ length: 20 }, (_, n) =>
      folder.renders({ ...address, tokenId: `${n}` }, {})['unc']?.replace(/^.*\\/, ''),
    )
    expect(new Set(files).size).toBeGreaterThan(4)
  })

  it('says how long the longest names of Windows make its own', () => {
    // Of a user, a computer and a domain (NetBIOS).
    const longest = { USERNAME: 20, COMPUTERNAME: 15, USERDOMAIN: 15 }
    const expanded = Object.entries(longest).reduce(
      (text, [name, length]) => text.replace(`%${name}%`, 'x'.repeat(length)),
      PAYLOAD,
    )
    expect(folder.descriptor.lookUpCharacters).toBe(`${expanded}.`.length)
  })

  it('fires on the whole name alone, and shows who opened the folder', () => {
    for (const part of ['ini', 'corp.ini', 'pc7.corp.ini', 'jane.pc7.corp', 'jane.pc7.corp.exe', ''])
      expect(judged(part)).toBe('quiet')
    expect(judged('jane.pc7.corp.ini')).toBe('fire')
    expect(folder.on.dns?.describe?.(visit('jane.pc7.corp.ini'), {}, 0)).toEqual({
      user: 'jane',
      computer: 'pc7',
      domain: 'corp',
      qtype: 'A',
      qname: 'jane.pc7.corp.ini.abc.t.example',
      src_host_is_resolver: true,
    })
  })

  it('tells users and computers apart, and not the forms of a name that has dots', () => {
    const detail = (name: string) => folder.on.dns?.visitorDetail?.(visit(name)).join()
    const names = ['jane.pc7.corp.ini', 'bob.pc7.corp.ini', 'jane.pc8.corp.ini', 'jane.pc7.lab.ini', 'files']
    expect(new Set(names.map(detail)).size).toBe(names.length)
    expect(detail('jane.van.doe.pc7.corp.ini')).toBe(detail('doe.pc7.corp.ini'))
    expect(detail('pc7.corp.ini')).toBe('')
  })

  it('a longer name of the same visit amends the user, whose name may have dots', () => {
    expect(folder.on.dns?.amend?.(visit('jane.van.doe.pc7.corp.ini'), {})).toEqual({
      user: 'jane.van.doe',
      computer: 'pc7',
      domain: 'corp',
      qname: 'jane.van.doe.pc7.corp.ini.abc.t.example',
    })
    expect(folder.on.dns?.amend?.(visit('corp.ini'), {})).toBeUndefined()
  })
})
