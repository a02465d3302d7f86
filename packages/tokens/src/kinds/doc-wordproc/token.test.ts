import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import { readParts, readXml } from '../../office/package.ts'
import { zipEntry, type ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import forge from './forge.ts'
import word from './token.ts'

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const doc = { fileId: 'f', filename: 'Plan.docx', contentType: MAIN, size: 1 }
const url = 'http://t.example/img/abc/pixel.gif?a=1&b=2'
const address = { tokenId: 'abc', url, hostname: 'abc.t.example' }

/** A document with this content of its main part; `more` are parts besides. */
const uploaded = (document: string, more: readonly ZipEntry[] = [], type = MAIN): Buffer =>
  writeZip([
    zipEntry(
      '[Content_Types].xml',
      `<Types><Default Extension="rels" ContentType="x"/><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
    ),
    zipEntry(
      '_rels/.rels',
      '<Relationships><Relationship Id="a" Type="urn:x/officeDocument" Target="/word/document.xml"/></Relationships>',
    ),
    zipEntry('word/document.xml', document),
    ...more,
  ])
const plant = (bytes: Uint8Array) => forgeFile(forge, { address, settings: { doc }, uploads: { doc: bytes } })

async function planted(document: string, more: readonly ZipEntry[] = []): Promise<string> {
  const { bytes } = await plant(uploaded(document, more))
  return readXml(await readParts(bytes), 'word/document.xml').toString()
}

/** Where the runs stand, of which each begins with this. */
const RUNS = `<w:r ${W}>`
const around = (xml: string): [before: string, after: string] => {
  const last = '<w:fldChar w:fldCharType="end"/></w:r>'
  return [xml.slice(0, xml.indexOf(RUNS)), xml.slice(xml.indexOf(last) + last.length)]
}

describe('the doc-wordproc kind', () => {
  it('makes a document of its own: whole, the same each time, another for another token', async () => {
    const first = await forgeFile(forge, { address })
    const parts = await readParts(first.bytes)
    expect(first.filename).toMatch(/^[A-Za-z ]+\.docx$/)
    expect(readXml(parts, 'word/_rels/document.xml.rels').toString()).toContain(
      'Target="http://t.example/img/abc/pixel.gif?a=1&#38;b=2" TargetMode="External"/>',
    )
    expect(await forgeFile(forge, { address })).toEqual(first)
    const other = await forgeFile(forge, { address: { ...address, tokenId: 'other' } })
    expect(Buffer.from(other.bytes).equals(first.bytes)).toBe(false)
  })

  it('is an archive as Word writes it, with all of its parts', async () => {
    const parts = await readParts((await forgeFile(forge, { address })).bytes)
    expect(parts.map(({ name }) => name)).toEqual([
      ...['[Content_Types].xml', '_rels/.rels', 'word/document.xml', 'word/_rels/document.xml.rels'],
      ...['word/theme/theme1.xml', 'word/settings.xml', 'word/styles.xml', 'word/webSettings.xml'],
      ...['word/fontTable.xml', 'docProps/core.xml', 'docProps/app.xml'],
    ])
    expect(new Set(parts.map(({ madeBy, flags }) => `${madeBy} ${flags}`))).toEqual(new Set(['45 6']))
    expect(parts.map(({ extra }) => extra.byteLength)).toEqual([520, 520, 0, 264, 0, 0, 0, 0, 0, 264, 264])
    for (const { name } of parts)
      expect(readXml(parts, name).toString(), name).toMatch(/^<\?xml .* standalone="yes"\?>\r\n</)
    const properties = readXml(parts, 'docProps/app.xml').toString()
    for (const element of ['Template', 'TotalTime', 'Words', 'CharactersWithSpaces', 'HyperlinksChanged'])
      expect(properties).toContain(`</${element}>`)
    // Word writes whole minutes.
    const moments =
      readXml(parts, 'docProps/core.xml')
        .toString()
        .match(/T\d\d:\d\d:\d\dZ/g) ?? []
    expect(moments.map((moment) => moment.slice(-4))).toEqual([':00Z', ':00Z'])
    const runs = readXml(parts, 'word/document.xml').toString().split('<w:body>')[1] ?? ''
    expect(runs).toMatch(/<a:blip r:link="rId\d+"\/>/)
    expect(runs).not.toMatch(/xmlns:(w|wp|r|v)=/)
  })

  it('shares no part with another document of ours but those that all documents of Word share', async () => {
    const partsOf = async (tokenId: string) =>
      readParts(
        (await forgeFile(forge, { address: { ...address, tokenId, url: `${url}&t=${tokenId}` } })).bytes,
      )
    const [first, second] = [await partsOf('one'), await partsOf('two')]
    const same = first.filter((part) =>
      second.some(({ name, crc }) => name === part.name && crc === part.crc),
    )
    expect(same.map(({ name }) => name)).toEqual([
      ...['[Content_Types].xml', '_rels/.rels', 'word/webSettings.xml', 'word/fontTable.xml'],
    ])
    const sizesOf = (parts: readonly ZipEntry[]) =>
      /<wp:extent[^>]*>/.exec(readXml(parts, 'word/document.xml').toString())?.[0]
    const sizes = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(async (tokenId) =>
      sizesOf(await partsOf(tokenId)),
    )
    expect(new Set(await Promise.all(sizes)).size).toBeGreaterThan(2)
  })

  it('leaves an upload the marks of the program that wrote it', async () => {
    const body = `<w:document ${W}><w:body><w:p/></w:body></w:document>`
    const hint = Buffer.from('20a2040028a00000', 'hex')
    const marks = { madeBy: 45, flags: 6, extra: hint }
    const { bytes } = await plant(uploaded(body, [zipEntry('word/settings.xml', '<w/>', marks)]))
    const [settings] = (await readParts(bytes)).filter(({ name }) => name === 'word/settings.xml')
    expect(settings).toMatchObject({ madeBy: 45, flags: 6 })
    expect(Buffer.from(settings?.extra ?? []).equals(hint)).toBe(true)
  })

  it('plants in the first paragraph of the body, behind its properties', async () => {
    const paragraph = (content: string) =>
      `<w:document ${W}><w:body>${content}<w:sectPr/></w:body></w:document>`
    const places: [before: string, after: string][] = [
      ['<w:p a="&gt;">', '<w:r><w:t>é</w:t></w:r></w:p><w:p/>'],
      ['<w:p><w:pPr/>', '<w:r/></w:p>'],
      ['<w:p><w:pPr><w:jc/><w:pPrChange><w:pPr><w:jc/></w:pPr></w:pPrChange></w:pPr>', '</w:p>'],
      ['<w:tbl><w:tc><w:p/></w:tc></w:tbl><w:p>', '</w:p>'],
    ]
    for (const [before, after] of places) {
      const [left, right] = paragraph(`${before}|${after}`).split('|')
      expect(around(await planted(paragraph(before + after)))).toEqual([left, right])
    }
    const [left, right] = around(await planted(paragraph('<w:p w:rsidR="1"/>')))
    expect([left.endsWith('<w:p w:rsidR="1">'), right.startsWith('</w:p><w:sectPr/>')]).toEqual([true, true])
    const [own] = around(await planted(paragraph('')))
    expect(own.endsWith(`<w:body><w:p ${W}>`)).toBe(true)
  })

  it('leaves every other part as it is, and keeps its name', async () => {
    const picture = zipEntry('word/media/image1.png', 'noise'.repeat(99))
    const rels = zipEntry(
      'word/_rels/document.xml.rels',
      '<Relationships><Relationship Id="rId1"/></Relationships>',
    )
    const { filename, bytes } = await plant(
      uploaded(`<w:document ${W}><w:body/><w:body><w:p/></w:body></w:document>`, [picture, rels]),
    )
    expect(filename).toBe('Plan.docx')
    const parts = await readParts(bytes)
    expect(parts.find(({ name }) => name === picture.name)).toMatchObject({
      ...picture,
      packed: Buffer.from(picture.packed),
    })
    expect(readXml(parts, rels.name).toString()).toMatch(
      /^<Relationships><Relationship Id="rId2" .* TargetMode="External"\/><Relationship Id="rId1"\/><\/Relationships>$/,
    )
  })

  it('takes Strict Open XML, and plants in its names', async () => {
    const root = 'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"'
    const { bytes } = await plant(
      uploaded(`<w:document ${root} w:conformance="strict"><w:body><w:p/></w:body></w:document>`),
    )
    const parts = await readParts(bytes)
    const texts = ['word/document.xml', 'word/_rels/document.xml.rels'].map((it) =>
      readXml(parts, it).toString(),
    )
    expect(texts[0]).toContain(`<w:r ${root}><w:drawing>`)
    expect(texts[0]).toContain(
      'xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships" r:link="rId1"',
    )
    expect(texts[1]).toContain('Type="http://purl.oclc.org/ooxml/officeDocument/relationships/image"')
    expect(texts.join('')).not.toMatch(/openxmlformats\.org\/(?!package)|urn:schemas-microsoft-com:vml/)
  })

  it('takes templates and documents with macros, each as what it is', async () => {
    const body = `<w:document ${W}><w:body><w:p/></w:body></w:document>`
    const word = 'application/vnd.ms-word'
    const given: [mainPart: string, file: string][] = [
      [MAIN, MAIN.replace('.main+xml', '')],
      [MAIN.replace('document.main', 'template.main'), MAIN.replace('document.main+xml', 'template')],
      [`${word}.document.macroEnabled.main+xml`, `${word}.document.macroEnabled.12`],
      [`${word}.template.macroEnabledTemplate.main+xml`, `${word}.template.macroEnabled.12`],
    ]
    for (const [mainPart, contentType] of given) {
      const macros = zipEntry('word/vbaProject.bin', 'macros')
      const file = await plant(uploaded(body, [macros], mainPart))
      expect(file.contentType).toBe(contentType)
      const parts = await readParts(file.bytes)
      expect(readXml(parts, 'word/document.xml').toString()).toContain('<w:drawing>')
      expect(parts.find(({ name }) => name === macros.name)?.crc).toBe(macros.crc)
    }
  })

  it('takes parts in UTF-16 and with a mark of their encoding, in any order, with types by their endings', async () => {
    const encodings: [name: string, encode: (text: string) => Buffer][] = [
      ['UTF-8', (text) => Buffer.from(`\ufeff${text}`)],
      ['utf-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
      ['UTF-16', (text) => Buffer.from(text, 'utf16le')],
      ['UTF-16', (text) => Buffer.from(text, 'utf16le').swap16()],
    ]
    for (const [encoding, encode] of encodings) {
      const part = (name: string, xml: string): ZipEntry =>
        zipEntry(name, encode(`<?xml version="1.0" encoding="${encoding}"?>${xml}`))
      const given = writeZip([
        part(
          'word/document.xml',
          `<w:document ${W}><w:body><w:p><w:r><w:t>Zürich</w:t></w:r></w:p></w:body></w:document>`,
        ),
        part(
          '_rels/.rels',
          '<Relationships><Relationship Target="WORD/document.xml" Id="a" Type="urn:x/officeDocument"/></Relationships>',
        ),
        zipEntry('word/', ''),
        part(
          '[Content_Types].xml',
          `<Types><Default ContentType="${MAIN}" Extension="XML"/><Default Extension="rels" ContentType="x"/></Types>`,
        ),
      ])
      const document = readXml(await readParts((await plant(given)).bytes), 'word/document.xml')
      expect(document.toString().replace(/^\ufeff/, '')).toMatch(
        /^<\?xml version="1.0" encoding="UTF-8"\?><w:document .*<w:drawing>.*<w:t>Zürich<\/w:t>/,
      )
    }
  })

  it('a file that it cannot use is a bad-input that names doc and says what would be right', async () => {
    const body = `<w:document ${W}><w:body><w:p/></w:body></w:document>`
    const lies = { ...zipEntry('word/media/a.bin', '\0'.repeat(9_000_000)), size: 100_000 }
    const wrong: [reason: string, bytes: Buffer][] = [
      ['must be a ZIP archive that is whole', Buffer.from('PK\x03\x04 and no more')],
      [
        'must be an Office document, not another ZIP archive: save it with Word, Excel or LibreOffice in a format of Office',
        writeZip([zipEntry('a.txt', 'a')]),
      ],
      [
        'must be a document without a digital signature: save a copy without one, with Word, Excel or LibreOffice',
        uploaded(body, [zipEntry('_xmlsignatures/sig1.xml', '<a/>')]),
      ],
      [
        'must be a document of the format docx, docm, dotx, dotm, not one of the content type application/xlsx',
        uploaded(body, [], 'application/xlsx'),
      ],
      [
        'must be a document whose word/document.xml has no DOCTYPE',
        uploaded(`<!DOCTYPE a [<!ENTITY b "c">]>${body}`),
      ],
      [
        'must be a Word document, and its root element one of Word',
        uploaded('<w:document xmlns:w="urn:other"/>'),
      ],
      [
        'must be an archive whose word/media/a.bin has the size and the checksum that its directory says',
        uploaded(body, [lies]),
      ],
      [
        'must be an archive that is compressed at most 100 times',
        uploaded(body, [zipEntry('a', '\0'.repeat(999_999))]),
      ],
    ]
    for (const [reason, bytes] of wrong)
      await expect(plant(bytes), reason).rejects.toMatchObject({
        code: 'bad-input',
        details: { doc: reason },
      })
  })

  it('shows the request for the picture, and answers with an empty one whatever is accepted', () => {
    const headers = { 'User-Agent': 'Word', Accept: 'text/html' }
    const visit = {
      channel: 'http',
      method: 'GET',
      path: '/a',
      headers,
      srcHost: '192.0.2.7',
      dstPort: 80,
    } as const
    expect(word.on.http?.judge).toBeUndefined()
    expect(word.on.http?.describe?.(visit, {}, 0)).toEqual({ method: 'GET', useragent: 'Word', referer: '' })
    expect(word.on.http?.answer?.(visit, {}).headers).toMatchObject({ 'Content-Type': 'image/gif' })
  })
})
