import { readFileSync } from 'node:fs'
import { PDFDict, PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib'
import { Fault } from '@rookery/kernel/fault.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import forge from './forge.ts'
import pdfReader from './token.ts'

const address = { tokenId: 'abc', url: 'http://t.example/abc', hostname: 'abc.t.example' }
const pdf = { fileId: 'f', filename: 'Plan.pdf', contentType: 'application/pdf', size: 1 }
const URI = 'http://p.abc.nx.t.example/'
const plant = (bytes: Uint8Array) => forgeFile(forge, { address, settings: { pdf }, uploads: { pdf: bytes } })

/** A document of three pages, whose first has these additional actions. */
async function threePages(useObjectStreams: boolean, actions?: Record<string, string>): Promise<Buffer> {
  const made = await PDFDocument.create()
  for (const width of [100, 200, 300]) made.addPage([width, 100])
  if (actions) {
    const entries = Object.entries(actions).map(([key, uri]) => [key, { S: 'URI', URI: uri }])
    made
      .getPage(0)
      .node.set(PDFName.of('AA'), made.context.register(made.context.obj(Object.fromEntries(entries))))
  }
  return Buffer.from(await made.save({ useObjectStreams }))
}

type Algorithm = 'RC4-40' | 'RC4-128' | 'AES-128' | 'AES-256'

/** Three pages, of which the first has an action; without a password to open them where none is given. */
async function encrypted(
  algorithm: Algorithm,
  { useObjectStreams = false, ...password }: { useObjectStreams?: boolean; userPassword?: string },
): Promise<Buffer> {
  const made = await PDFDocument.load(await threePages(false, { O: 'urn:open' }), { updateMetadata: false })
  made.encrypt({ ownerPassword: 'owner', algorithm, allowWeakCryptography: true, ...password })
  return Buffer.from(await made.save({ useObjectStreams }))
}

/** What happens when the first page is opened: the actions in their order. */
async function onOpening(bytes: Uint8Array): Promise<string[]> {
  const actions = (await PDFDocument.load(bytes, { password: '' }))
    .getPage(0)
    .node.lookup(PDFName.of('AA'), PDFDict)
  const found: string[] = []
  let action = actions.lookupMaybe(PDFName.of('O'), PDFDict)
  while (action) {
    const uri = action.get(PDFName.of('URI'))
    found.push(uri instanceof PDFHexString ? `(${uri.decodeText()})` : String(uri))
    action = action.lookupMaybe(PDFName.of('Next'), PDFDict)
  }
  return found
}

const visit = (labels: readonly string[]): DnsVisit => ({
  channel: 'dns',
  qtype: 'A',
  labels,
  isNx: true,
  network: '192.0.2.0/24',
  qname: [...labels, 'abc.nx.t.example'].join('.'),
  srcHost: '192.0.2.7',
  dstPort: 53,
  headers: {},
})

describe('the pdf-reader kind', () => {
  it('makes a document of its own, the same each time', async () => {
    const first = await forgeFile(forge, { address })
    expect(first.filename).toMatch(/^[A-Za-z ]+\.pdf$/)
    expect(await onOpening(first.bytes)).toEqual([`(${URI})`])
    expect(await forgeFile(forge, { address })).toEqual(first)
    expect((await PDFDocument.load(first.bytes)).getPageCount()).toBe(1)
  })

  it('names the program and the moment of its writing, and shows its address to no search for texts', async () => {
    const textsOf = async (tokenId: string) =>
      Buffer.from((await forgeFile(forge, { address: { ...address, tokenId } })).bytes).toString('latin1')
    const [first, second] = [await textsOf('one'), await textsOf('two')]
    expect(first).not.toMatch(/\/AA|\/URI|t\.example|\/Producer/)
    const found = await PDFDocument.load(Buffer.from(first, 'latin1'), { updateMetadata: false })
    expect(found.getProducer()).toMatch(/^iText® 5\.5\.[\d.]+ ©2000-20\d\d iText Group NV \(AGPL-version\)$/)
    expect(found.getModificationDate()).toEqual(found.getCreationDate())
    expect(found.getCreationDate()?.getUTCFullYear()).toBeGreaterThan(2023)
    // Behind the header, which all files of the version share, nothing long is in both.
    const pieces = first.slice(20).match(/[^\n]{60,}/g) ?? []
    expect(pieces.filter((piece) => second.includes(piece))).toEqual([])
  })

  it.each([true, false])(
    'appends to an upload, whose bytes and pages stay (compressed objects: %s)',
    async (isCompressed) => {
      const given = await threePages(isCompressed)
      const { filename, bytes } = await plant(given)
      expect(filename).toBe('Plan.pdf')
      expect(Buffer.from(bytes).subarray(0, given.length).equals(given)).toBe(true)
      expect(bytes.length - given.length).toBeLessThan(1_500)
      const found = await PDFDocument.load(bytes)
      expect(found.getPages().map((page) => page.getWidth())).toEqual([100, 200, 300])
      expect(await onOpening(bytes)).toEqual([`(${URI})`])
      expect(Buffer.from((await plant(given)).bytes).equals(Buffer.from(bytes))).toBe(true)
    },
  )

  it('comes before what a page does already when it is opened, and leaves what it does when it is closed', async () => {
    const { bytes } = await plant(await threePages(false, { O: 'urn:open', C: 'urn:close' }))
    expect(await onOpening(bytes)).toEqual([`(${URI})`, '/urn:open'])
    const actions = (await PDFDocument.load(bytes)).getPage(0).node.lookup(PDFName.of('AA'), PDFDict)
    expect(actions.has(PDFName.of('C'))).toBe(true)
  })

  it.each(['RC4-40', 'RC4-128', 'AES-128', 'AES-256'] as const)(
    'takes a document that is encrypted and opens without a password: %s',
    async (algorithm) => {
      for (const isCompressed of [false, true]) {
        const given = await encrypted(algorithm, { useObjectStreams: isCompressed })
        const { bytes } = await plant(given)
        expect(Buffer.from(bytes).subarray(0, given.length).equals(given)).toBe(true)
        expect(await onOpening(bytes)).toEqual([`(${URI})`, '/urn:open'])
        expect((await plant(given)).bytes).toEqual(bytes)
      }
      await expect(plant(await encrypted(algorithm, { userPassword: 'secret' }))).rejects.toMatchObject({
        details: { pdf: expect.stringContaining('qpdf --password=… --decrypt in.pdf out.pdf') as string },
      })
    },
  )

  it('takes a document that another program encrypted with permissions alone', async () => {
    const given = readFileSync(new URL('./golden/no-open-password.pdf', import.meta.url))
    expect(await onOpening((await plant(given)).bytes)).toEqual([`(${URI})`])
  })

  it('takes what readers repair: without an end, with wrong places, with something in front', async () => {
    for (const isCompressed of [false, true]) {
      const whole = (await threePages(isCompressed)).toString('latin1')
      const given: [what: string, text: string][] = [
        ['no end', whole.slice(0, whole.lastIndexOf('startxref'))],
        ['a wrong start', whole.replace(/startxref\n\d+/, 'startxref\n7')],
        ['places that are wrong', whole.replace('%PDF-1.7\n', '%PDF-1.7\n%moved\n')],
        ['a mail in front', `Subject: Plan\r\n\r\n${whole}`],
        ['no end of its last object', whole.slice(0, whole.lastIndexOf('endobj'))],
      ]
      for (const [what, text] of given) {
        const { bytes } = await plant(Buffer.from(text, 'latin1'))
        const found = await PDFDocument.load(bytes)
        expect(
          found.getPages().map((page) => page.getWidth()),
          what,
        ).toEqual([100, 200, 300])
        expect(await onOpening(bytes), what).toEqual([`(${URI})`])
        // Its own table leads to every page: one that is planted again is read by it.
        const again = (await plant(bytes)).bytes
        expect(await onOpening(again), what).toEqual([`(${URI})`, `(${URI})`])
      }
    }
  })

  it('a file that it cannot use is a bad-input that names pdf and the program that helps', async () => {
    const whole = (await threePages(false)).toString('latin1')
    const repair = 'must be a PDF whose first page can be found: qpdf in.pdf out.pdf'
    const wrong: [reason: string, text: string][] = [
      [
        'must be a PDF without a digital signature: print it into a new PDF',
        `${whole}\n9 0 obj\n<</ByteRange [0 1 2 3]>>`,
      ],
      [
        'must be a PDF that opens without a certificate: print it into a new PDF',
        whole.replace('/Size', '/Encrypt << /Filter /Adobe.PubSec >> /Size'),
      ],
      [repair, '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages '],
      [repair, whole.replaceAll('/Kids', '/Cats')],
      [repair, `%PDF-1.6\n1 0 obj\n${'['.repeat(200_000)}\nstartxref\n1\n%%EOF`],
    ]
    for (const [reason, text] of wrong)
      await expect(plant(Buffer.from(text, 'latin1')), reason).rejects.toMatchObject({
        code: 'bad-input',
        details: { pdf: expect.stringContaining(reason) as string },
      })
  })

  it('takes work by the bytes of a file, not by its references', async () => {
    const catalog = '%PDF-1.6\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n'
    const end = 'trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n'
    const node = (number: number, kids: string): string =>
      `${number} 0 obj\n<</Type/Pages/Kids[${kids}]>>\nendobj\n`
    const doubled = Array.from({ length: 99 }, (_, n) => node(n + 2, `${n + 3} 0 R `.repeat(2)))
    const leaf = '101 0 obj\n<</Type/Page>>\nendobj\n'
    const many = (text: string): string => text.repeat(1_000_000 / text.length)
    const taken = [catalog + doubled.join('') + leaf, catalog + node(2, many('101 0 R ')) + leaf]
    for (const text of taken) {
      const { bytes } = await plant(Buffer.from(text + end, 'latin1'))
      expect(Buffer.from(bytes).toString('latin1')).toContain(`(${URI})`)
    }
    const refused = [
      catalog + doubled.join(''),
      ...['1', '5 0 obj<</A 1>>stream\n', '5 0 obj[', '1 %\n'].map((text) => `${catalog}x${many(text)}`),
    ]
    for (const text of refused)
      await expect(plant(Buffer.from(text + end, 'latin1'))).rejects.toMatchObject({ code: 'bad-input' })
  })

  it('whatever the bytes are, they are planted or refused', async () => {
    const wholes = [
      ...[await threePages(false), await threePages(true, { O: 'urn:open' })],
      readFileSync(new URL('./golden/no-open-password.pdf', import.meta.url)),
      await encrypted('AES-256', { useObjectStreams: true }),
    ]
    const change = fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('<>[]()/09R\n'))))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...wholes),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.nat(9),
        async (whole, changes, cut) => {
          const bytes = Buffer.from(whole)
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte
          try {
            await plant(bytes.subarray(0, cut === 0 ? bytes.length / 2 : bytes.length))
          } catch (error) {
            expect(error).toBeInstanceOf(Fault)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('a look-up fires, and the whole name amends a shorter one', () => {
    expect(pdfReader.renders(address, {})).toEqual({ hostname: 'p.abc.nx.t.example' })
    const { dns } = pdfReader.on
    expect(dns?.judge).toBeUndefined()
    expect(dns?.describe?.(visit([]), {}, 0)).toEqual({
      qtype: 'A',
      qname: 'abc.nx.t.example',
      src_host_is_resolver: true,
    })
    expect(dns?.amend?.(visit(['p']), {})).toEqual({ qname: 'p.abc.nx.t.example' })
    expect(dns?.amend?.(visit([]), {})).toBeUndefined()
  })
})
