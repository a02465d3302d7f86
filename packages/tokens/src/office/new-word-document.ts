// A document of ours: a memorandum, as Word writes one.
import type { Draws } from '../draws.ts'
import { RELATIONSHIPS, WORD } from './linked-picture.ts'
import { newPackage, relationships, VBA_PROJECT, VBA_PROJECT_TYPE } from './new-package.ts'
import { memorandum } from '../pretexts/memorandum.ts'
import { escapeXml } from '../xml/tags.ts'
import type { ZipEntry } from '../zip/entry.ts'

const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

const MACRO_DOCUMENT = 'application/vnd.ms-word.document.macroEnabled.main+xml'

export interface NewWordDocument {
  /** Without its ending. */
  readonly name: string
  readonly parts: readonly ZipEntry[]
}

/** With macros, where they are given. */
export function newWordDocument(draws: Draws, vbaProject?: Buffer): NewWordDocument {
  const { title, author, paragraphs } = memorandum(draws)
  const body = [
    paragraph(title, 'Title'),
    paragraph(author, 'Subtitle'),
    ...paragraphs.map((text) => paragraph(text)),
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1134" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>',
  ].join('')
  const parts = newPackage(
    {
      ...{ title, author },
      application: 'Microsoft Office Word',
      parts: [
        {
          name: 'word/document.xml',
          contentType: vbaProject ? MACRO_DOCUMENT : `${TYPE}.document.main+xml`,
          content: `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
        },
        {
          name: 'word/_rels/document.xml.rels',
          content: relationships([
            [`${RELATIONSHIPS}/styles`, 'styles.xml'],
            ...(vbaProject ? ([[VBA_PROJECT, 'vbaProject.bin']] as const) : []),
          ]),
        },
        { name: 'word/styles.xml', contentType: `${TYPE}.styles+xml`, content: STYLES },
        ...(vbaProject
          ? [{ name: 'word/vbaProject.bin', contentType: VBA_PROJECT_TYPE, content: vbaProject }]
          : []),
      ],
    },
    draws,
  )
  return { name: title.replace(/[^A-Za-z0-9]+/g, ' ').trim(), parts }
}

const paragraph = (text: string, style = 'Normal'): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`

const style = (id: string, name: string, halfPoints: number, more = ''): string =>
  `<w:style w:type="paragraph"${id === 'Normal' ? ' w:default="1"' : ''} w:styleId="${id}"><w:name w:val="${name}"/>` +
  `${id === 'Normal' ? '' : '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/>'}<w:qFormat/>` +
  `<w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr><w:rPr>${more}<w:sz w:val="${halfPoints}"/></w:rPr></w:style>`

const STYLES =
  `<w:styles xmlns:w="${WORD}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/>` +
  '<w:sz w:val="22"/><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>' +
  `${style('Normal', 'Normal', 22)}${style('Title', 'Title', 40, '<w:b/>')}${style('Subtitle', 'Subtitle', 22, '<w:i/>')}</w:styles>`
