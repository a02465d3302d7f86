import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import { checksumOf, imageDigest, readPeImage } from '../../authenticode/pe-image.ts'
import { OPTIONAL_AT, PE_AT, program } from '../../authenticode/testing/program.ts'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import { describeVisit, judgeVisit } from '../../token.ts'
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'
import forge from './forge.ts'
import signedExe from './token.ts'

const address = { tokenId: 'abc', url: 'http://t.example/abc/x', hostname: 'abc.t.example' }
const exe = {
  fileId: 'f',
  filename: 'setup.exe',
  contentType: 'application/vnd.microsoft.portable-executable',
  size: 1,
}

const entryAt = (isPlus = true): number => OPTIONAL_AT + (isPlus ? 144 : 128)

const sign = async (bytes: Uint8Array, settings: { exe_publisher?: string } = {}): Promise<Buffer> =>
  Buffer.from(
    (await forgeFile(forge, { address, settings: { exe, ...settings }, uploads: { exe: bytes } })).bytes,
  )

/** The certificates in a signed program: each is a SEQUENCE that node reads. */
function certificatesIn(file: Buffer): X509Certificate[] {
  const found: X509Certificate[] = []
  const table = file.subarray(512)
  for (
    let at = table.indexOf(Buffer.of(0x30, 0x82));
    at >= 0;
    at = table.indexOf(Buffer.of(0x30, 0x82), at + 1)
  ) {
    try {
      found.push(new X509Certificate(table.subarray(at, at + 4 + table.readUInt16BE(at + 2))))
    } catch {
      continue
    }
  }
  return found
}

const signerOf = (file: Buffer): X509Certificate => {
  const [signer] = certificatesIn(file).filter(({ ca }) => !ca)
  if (!signer) throw new Error('There is no signing certificate.')
  return signer
}

describe('a signed program', () => {
  it('has certificates of different ages and lengths, which another program does not repeat', async () => {
    const agesOf = async (tokenId: string): Promise<number[]> => {
      const { bytes } = await forgeFile(forge, {
        address: { ...address, tokenId },
        settings: { exe },
        uploads: { exe: program() },
      })
      const found = certificatesIn(Buffer.from(bytes)).toSorted((a, b) => Number(b.ca) - Number(a.ca))
      const [authority = 0, signer = 0] = found.map(({ validFrom }) => Date.parse(validFrom))
      return [
        signer - authority,
        ...found.map(({ validFrom, validTo }) => Date.parse(validTo) - Date.parse(validFrom)),
      ]
    }
    const [first = [], second = []] = [await agesOf('one'), await agesOf('two')]
    expect(first).toHaveLength(3)
    expect(Math.min(first[0] ?? 0, second[0] ?? 0)).toBeGreaterThan(0)
    expect(second[0]).not.toBe(first[0])
    expect(second).not.toEqual(first)
  })

  it.each([
    ['PE32', { isPlus: false }],
    ['PE32+', {}],
    ['with data behind its sections', { overlay: 100 }],
    ['whose length is odd', { overlay: 3 }],
  ])('is as it was, filled up, with a table of certificates at its end (%s)', async (_what, shape) => {
    const before = program(shape)
    const isPlus = !('isPlus' in shape)
    const after = await sign(before)
    const at = entryAt(isPlus)
    const [tableAt, size] = [after.readUInt32LE(at), after.readUInt32LE(at + 4)]
    expect([tableAt % 8, size % 8, tableAt + size]).toEqual([0, 0, after.length])
    expect(after.readUInt32LE(tableAt)).toBe(size)
    const content = Buffer.from(after.subarray(0, before.length))
    const checksum = content.readUInt32LE(OPTIONAL_AT + 64)
    content.fill(0, OPTIONAL_AT + 64, OPTIONAL_AT + 68).fill(0, at, at + 8)
    expect(content.equals(before)).toBe(true)
    const unsummed = Buffer.from(after)
    unsummed.writeUInt32LE(0, OPTIONAL_AT + 64)
    expect(checksum).toBe(checksumOf(unsummed))
    expect(after.includes(imageDigest(readPeImage(before)))).toBe(true)
  })

  it('loses an earlier signature, and only that', async () => {
    const once = await sign(program())
    const twice = await sign(once)
    expect(readPeImage(twice).bytes.equals(readPeImage(once).bytes)).toBe(false)
    expect(imageDigest(readPeImage(twice))).toEqual(imageDigest(readPeImage(program())))
    expect(Math.abs(twice.length - once.length)).toBeLessThanOrEqual(8)
    expect(certificatesIn(twice)).toHaveLength(2)
  })

  it('names where its certificate may be revoked, and whom it is of', async () => {
    const signer = signerOf(await sign(program(), { exe_publisher: 'Nørre & Sons' }))
    expect(signer.infoAccess?.trim()).toBe(
      'OCSP - URI:http://ocsp.abc.nx.t.example/\nCA Issuers - URI:http://aia.abc.nx.t.example/ca.cer',
    )
    expect(signer.raw.includes('http://crl.abc.nx.t.example/ca.crl')).toBe(true)
    expect(signer.subject).toContain('Nørre & Sons')
    expect(signer.keyUsage).toEqual(['1.3.6.1.5.5.7.3.3'])
  })

  it('has a chain of its own, which another token does not have', async () => {
    const file = await sign(program())
    const authority = certificatesIn(file).find(({ ca }) => ca)
    const signer = signerOf(file)
    expect(authority && signer.checkIssued(authority) && signer.verify(authority.publicKey)).toBe(true)
    const other = await forgeFile(forge, {
      address: { ...address, tokenId: 'other' },
      settings: { exe },
      uploads: { exe: program() },
    })
    expect(signerOf(Buffer.from(other.bytes)).subject).not.toBe('')
    expect(signerOf(Buffer.from(other.bytes)).serialNumber).not.toBe(signer.serialNumber)
  })

  it('is right to osslsigncode', async ({ skip }) => {
    const osslsigncode = (...args: string[]) => spawnSync('osslsigncode', args, { encoding: 'utf8' })
    if (osslsigncode('--version').error) skip('osslsigncode is not installed')
    const folder = mkdtempSync(join(tmpdir(), 'signed-exe-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const shape of [{ isPlus: false }, { isPlus: true, overlay: 5 }]) {
      const [file, authorities] = [join(folder, 'setup.exe'), join(folder, 'authorities.pem')]
      const signed = await sign(program(shape))
      writeFileSync(file, signed)
      writeFileSync(authorities, certificatesIn(signed).join('\n'))
      const said = osslsigncode('verify', '-ignore-crl', '-CAfile', authorities, '-in', file).stdout
      // A wrong one has two lines: the current and the calculated one.
      expect(said).toMatch(/^PE checksum +: \w+$/m)
      expect(said).toMatch(/Current message digest +: (\w+)\s+Calculated message digest +: \1\s/)
      expect(said).toContain('Signature verification: ok')
    }
  })
})

describe('a file that is no program to sign', () => {
  const refusal = async (bytes: Uint8Array): Promise<string> => {
    const error = await sign(bytes).catch((it: unknown) => it)
    return (error as { details: { exe: string } }).details.exe
  }
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = program()
    change(bytes)
    return bytes
  }

  it.each([
    ['of MS-DOS', changed((it) => it.writeUInt32LE(0, 60)), 'must be a program of Windows'],
    ['of 16 bits', changed((it) => it.write('NE', PE_AT, 'latin1')), 'must be a program of Windows'],
    ['cut in its headers', program().subarray(0, 200), 'must be whole: its headers end at 368'],
    ['cut in a section', program().subarray(0, 600), 'must be whole: a section of it ends at 1024'],
    ['an object file', changed((it) => it.writeUInt16LE(0, PE_AT + 22)), 'not an object file'],
    ['a ROM image', changed((it) => it.writeUInt16LE(0x107, OPTIONAL_AT)), 'must be PE32 or PE32+'],
    [
      'without directories',
      changed((it) => it.writeUInt32LE(4, OPTIONAL_AT + 108)),
      'a place for a signature',
    ],
    [
      'whose signature stands behind its end',
      changed((it) => it.writeUInt32LE(5_000, entryAt())),
      'must be whole: its signature stands at 5000',
    ],
    [
      'with something behind its signature',
      changed((it) => {
        it.writeUInt32LE(512, entryAt())
        it.writeUInt32LE(64, entryAt() + 4)
      }),
      'must have nothing behind its signature',
    ],
  ])('is refused, and the parameter named: %s', async (_what, bytes, reason) => {
    expect(await refusal(bytes)).toContain(reason)
  })

  it('is refused whatever its bytes are, or read', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(1_023), fc.nat(255)), { maxLength: 8 }),
        fc.nat(1_024),
        (changes, length) => {
          const bytes = program()
          for (const [at, value] of changes) bytes[at] = value
          try {
            expect(readPeImage(bytes.subarray(0, length)).bytes.length % 8).toBe(0)
          } catch (error) {
            expect(error).toBeInstanceOf(UnusableFile)
          }
        },
      ),
    )
  })
})

describe('the signed-exe kind', () => {
  const asked = (labels: readonly string[]): DnsVisit => ({
    channel: 'dns',
    qname: [...labels, 'abc.nx.t.example'].join('.'),
    qtype: 'A',
    labels,
    network: '192.0.2.0/24',
    isNx: true,
    srcHost: '192.0.2.7',
    dstPort: 53,
    headers: {},
  })

  it('fires by each address of the certificate, and says by which', () => {
    for (const via of ['crl', 'aia', 'ocsp']) {
      expect(judgeVisit(signedExe, asked([via]), {}, 0)).toBe('fire')
      expect(describeVisit(signedExe, asked([via]), {}, 0)).toMatchObject({ via })
    }
    expect(judgeVisit(signedExe, asked([]), {}, 0)).toBe('quiet')
    expect(judgeVisit(signedExe, asked(['www']), {}, 0)).toBe('quiet')
  })

  it('signs in the name of no one whose tools look for it', () => {
    expect(() => signedExe.renders(address, { exe, exe_publisher: 'MICROSOFT Corp.' })).toThrow(
      expect.objectContaining({
        code: 'bad-input',
        details: { exe_publisher: expect.any(String) as string },
      }),
    )
    expect(signedExe.renders(address, { exe })).toEqual({ hostname: 'crl.abc.nx.t.example' })
  })
})
