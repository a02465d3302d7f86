// Puts a macro project into a document that somebody uploaded, which becomes one with macros.
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'
import { xmlTags } from '../xml/tags.ts'
import type { ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { EXCEL_FORMATS, OFFICE_FORMATS, WORD_FORMATS, type OfficeFormatName } from './formats.ts'
import { VBA_PROJECT, VBA_PROJECT_TYPE } from './new-package.ts'
import { VBA_DATA } from './new-word-document.ts'
import {
  addPart,
  addRelationships,
  freeRelationshipId,
  insertAt,
  mainPart,
  readXml,
  relatedParts,
  retyped,
  rootOf,
  withPart,
  XML,
} from './package.ts'

/** Class id of Excel's Worksheet. */
export const WORKSHEET = '{00020820-0000-0000-C000-000000000046}'
/** Class ids of the sheets of a workbook, by the last names of their relationships. */
const SHEETS = {
  worksheet: WORKSHEET,
  chartsheet: '{00020821-0000-0000-C000-000000000046}',
} as const

/** As many as the directory of a project has room for. */
const MAX_SHEETS = 16

/** A module of the project for each sheet. */
export interface SheetModule {
  readonly name: string
  readonly baseId: string
}

/** The parts of the same document as a docm; throws `UnusableFile` for one that has macros of its own. */
export function plantMacroInWord(parts: readonly ZipEntry[], project: Buffer): ZipEntry[] {
  const { name } = mainPart(parts, WORD_FORMATS)
  const { relationship, contentType, content } = VBA_DATA
  const data = nextTo(name, 'vbaData.xml')
  const planted = addRelationships(withProject(parts, name, 'docm', project), nextTo(name, PROJECT), [
    { id: 'rId1', type: relationship, target: `/${data}` },
  ])
  return addPart(planted, { name: data, content: XML + content, contentType })
}

const PROJECT = 'vbaProject.bin'
/** A part in the folder of another one. */
const nextTo = (part: string, name: string): string => part.replace(/[^/]*$/, name)

/** The same for a workbook, as an xlsm; `projectOf` makes the project for its sheets. */
export function plantMacroInWorkbook(
  parts: readonly ZipEntry[],
  projectOf: (sheets: readonly SheetModule[]) => Buffer,
): ZipEntry[] {
  const { name: workbook } = mainPart(parts, EXCEL_FORMATS)
  const sheets = (['worksheet', 'chartsheet'] as const).flatMap((type) =>
    relatedParts(parts, workbook, type).map(({ target }) => ({ target, baseId: SHEETS[type] })),
  )
  if (sheets.length > MAX_SHEETS)
    throw new UnusableFile(`must be a workbook of at most ${MAX_SHEETS} sheets, not ${sheets.length}`)
  const modules = sheets.map(({ baseId }, n) => ({ name: `Sheet${n + 1}`, baseId }))
  const named = sheets.reduce<readonly ZipEntry[]>(
    (all, { target }, n) => withCodeName(all, target, 'sheetPr', modules[n]?.name ?? ''),
    withCodeName(parts, workbook, 'workbookPr', 'ThisWorkbook'),
  )
  return withProject(named, workbook, 'xlsm', projectOf(modules))
}

function withProject(
  parts: readonly ZipEntry[],
  main: string,
  format: OfficeFormatName,
  content: Buffer,
): ZipEntry[] {
  if (relatedParts(parts, main, 'vbaProject').length > 0)
    throw new UnusableFile(
      `must be a document without macros of its own: save it as ${format.replace('m', 'x')} first, or create a token of the kind for documents without macros, which keeps them`,
    )
  const name = nextTo(main, PROJECT)
  const typed = retyped(parts, main, OFFICE_FORMATS[format].mainPart)
  const relationship = { id: freeRelationshipId(parts, main), type: VBA_PROJECT, target: `/${name}` }
  return addPart(addRelationships(typed, main, [relationship]), {
    name,
    content,
    contentType: VBA_PROJECT_TYPE,
  })
}

/** What stands in front of the properties of a workbook; those of a sheet stand first (ECMA-376, part 1, 18.2.27, 18.3.1.99). */
const BEFORE_PROPERTIES = new Set(['fileVersion', 'fileSharing'])

/** The parts with the name by which macros know a sheet or the workbook. */
function withCodeName(
  parts: readonly ZipEntry[],
  part: string,
  element: 'workbookPr' | 'sheetPr',
  codeName: string,
): ZipEntry[] {
  const xml = readXml(parts, part)
  const { root, prefix } = rootOf(xml, part)
  let [depth, at] = [0, root.to]
  for (const tag of xmlTags(xml, part)) {
    if (tag.type === 'end') depth--
    const local = tag.name.slice(prefix.length)
    if (depth === 1 && tag.type !== 'end' && local === element) {
      const others = tag.attributes.replace(/\scodeName\s*=\s*(?:"[^"]*"|'[^']*')/, '')
      const start = `<${tag.name} codeName="${codeName}"${others}${tag.type === 'empty' ? '/>' : '>'}`
      const before = xml.subarray(0, tag.from)
      return withPart(
        parts,
        part,
        Buffer.concat([before, Buffer.from(start, 'latin1'), xml.subarray(tag.to)]),
      )
    }
    if (depth === 1 && BEFORE_PROPERTIES.has(local) && tag.type !== 'start') at = tag.to
    if (tag.type === 'start') depth++
  }
  return withPart(parts, part, insertAt(xml, at, `<${prefix}${element} codeName="${codeName}"/>`))
}
