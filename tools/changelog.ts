// Puts the files of changelog/ into CHANGELOG.md under a version. Run: npx node tools/changelog.ts <version>
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotPrepare, explain, root } from './clone.mjs'

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
const VERSION = /^\d+\.\d+\.\d+$/
const UNRELEASED = '## [Unreleased]\n'

export interface Fragment {
  readonly file: string
  readonly text: string
}

/** Text by kind and area; what stands before the first area of a kind has the area ''. */
type Sections = Map<string, Map<string, string>>

/** The changelog with all that is unreleased, the fragments behind it, under `version` and `date`. */
export function foldChangelog(
  changelog: string,
  fragments: readonly Fragment[],
  version: string,
  date: string,
) {
  if (!VERSION.test(version)) throw new CannotPrepare(`"${version}" is no version; it must be such as 0.2.0.`)
  if (changelog.includes(`## [${version}]`)) throw new CannotPrepare(`CHANGELOG.md already has ${version}.`)
  const [before, after] = changelog.split(UNRELEASED)
  if (after === undefined) throw new CannotPrepare(`CHANGELOG.md has no line "${UNRELEASED.trim()}".`)
  const end = after.search(/^## /m)
  const [unreleased, older] = end < 0 ? [after, ''] : [after.slice(0, end), after.slice(end)]
  const sections: Sections = new Map()
  for (const { file, text } of [{ file: 'CHANGELOG.md', text: unreleased }, ...fragments])
    add(sections, file, text)
  const texts = KINDS.filter((kind) => sections.has(kind)).map((kind) =>
    [
      `### ${kind}`,
      ...[...sections.get(kind)!].map(([area, text]) => (area ? `#### ${area}\n\n${text}` : text)),
    ].join('\n\n'),
  )
  const released = [UNRELEASED.trim(), `## [${version}] - ${date}`, ...texts].join('\n\n')
  return `${before}${released}\n${older && `\n${older}`}`
}

function add(sections: Sections, file: string, text: string): void {
  const [preface = '', ...kinds] = text.split(/^### /m)
  if (preface.trim())
    throw new CannotPrepare(
      `${file} begins with "${preface.trim()}"; a line such as "### Added" comes first.`,
    )
  for (const section of kinds) {
    const [title = '', ...areas] = section.replace('\n', '\n#### \n').split(/^#### /m)
    const kind = title.trim()
    if (!KINDS.includes(kind))
      throw new CannotPrepare(`${file} has the kind "${kind}"; it must be one of ${KINDS.join(', ')}.`)
    const known = sections.get(kind) ?? new Map<string, string>()
    sections.set(kind, known)
    for (const part of areas) {
      const [area = ''] = part.split('\n', 1)
      const lines = part.slice(area.length).trim()
      if (lines) known.set(area, [known.get(area), lines].filter(Boolean).join('\n'))
    }
  }
}

function release(version: string): void {
  const folder = join(root, 'changelog')
  const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md')
  const fragments = files.map((file) => ({
    file: `changelog/${file}`,
    text: readFileSync(join(folder, file), 'utf8'),
  }))
  const path = join(root, 'CHANGELOG.md')
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(path, foldChangelog(readFileSync(path, 'utf8'), fragments, version, date))
  for (const file of files) rmSync(join(folder, file))
  console.log(`CHANGELOG.md has ${version} of ${date}, with ${files.length} files of changelog/.`)
}

if (import.meta.main) {
  try {
    release(process.argv[2] ?? '')
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
  }
}
