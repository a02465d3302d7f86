// docs/asvs.md has a row for each requirement of ASVS 5.0.0, levels 1 and 2, and what a row names is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-api'
import { expect, it } from 'vitest'
import { SECTIONS } from './asvs.data.ts'
import { root } from './clone.mjs'

const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8')

interface Row {
  readonly number: string
  readonly level: string
  readonly asked: string
  /** `test: …`, `decision: …`, `page: …`, `not applicable: …` or `open: …`, one after the other. */
  readonly verdicts: readonly string[]
}

const rows: readonly Row[] = [
  ...page.matchAll(/^\| *(\d+\.\d+\.\d+) *\| *(\d) *\| *(.*?) *\| *(.*?) *\|$/gm),
].map(([, number = '', level = '', asked = '', verdicts = '']) => ({
  number,
  level,
  asked,
  verdicts: verdicts.split(' · '),
}))

const asked = Object.entries(SECTIONS).flatMap(([section, levels]) =>
  [...levels].map((level, at) => ({ number: `${section}.${at + 1}`, level })),
)

/** The titles of groups and tests in a test file, `$name` and `${…}` as they are written, and the names in tables. */
function titlesOf(path: string): readonly string[] {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest)
  const titles: string[] = []
  const add = (title: ts.Node | undefined): void => {
    if (!title) return
    if (ts.isStringLiteralLike(title)) titles.push(title.text)
    else if (ts.isTemplateExpression(title)) titles.push(title.getText(file))
    // A table: the name of a row comes first.
    else if (ts.isArrayLiteralExpression(title))
      for (const row of title.elements) add(ts.isArrayLiteralExpression(row) ? row.elements[0] : row)
  }
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(it|test|describe)\b/.test(node.expression.getText(file)))
      add(node.arguments[0])
    ts.forEachChild(node, look)
  }
  look(file)
  return titles
}

/** What is wrong with a verdict; undefined if it says enough and what it names is there. */
function problem(verdict: string): string | undefined {
  const [, kind = '', reason = ''] = /^(test|decision|page|not applicable|open): (.+)$/.exec(verdict) ?? []
  switch (kind) {
    case 'test':
      return problemOfTests(reason)
    case 'decision':
    case 'page': {
      const [, link = '', anchor] = /^\[[^\]]+\]\(([^)#]+)#?([^)]*)\)/.exec(reason) ?? []
      const isRight = kind === 'page' || /^decisions\/\d{4}-.+\.md$/.test(link)
      return isRight && hasHeading(link, anchor) ? undefined : 'names no such page'
    }
    case 'not applicable':
      return reason.length > 10 ? undefined : 'gives no reason'
    case 'open':
      return isDecided(/.{10,} \(decision (\d{4})\)$/.exec(reason)?.[1])
        ? undefined
        : 'must end with the decision that says why, in brackets: (decision 0042)'
    default:
      return 'begins with none of test, decision, page, not applicable and open'
  }
}

const isDecided = (number: string | undefined): boolean =>
  number !== undefined &&
  readdirSync(join(root, 'docs/decisions')).some((name) => name.startsWith(`${number}-`))

/** Whether the page is there, and has the heading that the anchor leads to, if any. */
function hasHeading(link: string, anchor = ''): boolean {
  const path = join(root, 'docs', link)
  if (link === '' || !existsSync(path)) return false
  const headings = readFileSync(path, 'utf8').match(/^#+ .+$/gm) ?? []
  const anchors = headings.map((heading) => heading.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'))
  return anchor === '' || anchors.includes(anchor)
}

function problemOfTests(reason: string): string | undefined {
  const named = [...reason.matchAll(/`([^`]+\.test\.ts)` "([^"]+)"/g)]
  if (named.length === 0) return 'names no test: `path` "words of its title"'
  for (const [, path = '', words = ''] of named) {
    if (!existsSync(join(root, path))) return `${path} does not exist`
    if (!titlesOf(path).some((title) => title.includes(words))) return `${path} has no test "${words}"`
  }
  return undefined
}

it('the levels are those of ASVS 5.0.0: 70, 183 and 92 requirements', () => {
  expect(['1', '2', '3'].map((level) => asked.filter((it) => it.level === level).length)).toEqual([
    70, 183, 92,
  ])
})

it('each requirement of levels 1 and 2 has one row, in their order, with its level', () => {
  const expected = asked.filter(({ level }) => level !== '3').map(({ number, level }) => `${number} ${level}`)
  expect(rows.map(({ number, level }) => `${number} ${level}`)).toEqual(expected)
  // Nothing that looks like a row is overlooked.
  expect(page.match(/^\| *\d/gm)).toHaveLength(expected.length)
})

it('each row says what is asked, and what it names as an answer is there', () => {
  const problems = rows.flatMap(({ number, asked, verdicts }) => [
    ...(asked.length < 10 ? [`${number} does not say what is asked`] : []),
    ...verdicts.flatMap((verdict) => {
      const wrong = problem(verdict)
      return wrong === undefined ? [] : [`${number}: "${verdict.slice(0, 60)}" ${wrong}`]
    }),
  ])
  expect(problems).toEqual([])
})

it('the counts at the top are those of the rows', () => {
  for (const level of ['1', '2']) {
    const ofLevel = rows.filter((row) => row.level === level)
    const open = ofLevel.filter(({ verdicts }) => verdicts.some((verdict) => verdict.startsWith('open:')))
    const without = ofLevel.filter(({ verdicts }) =>
      verdicts.every((verdict) => verdict.startsWith('not applicable:')),
    )
    const kept = ofLevel.length - open.length - without.length
    const line = `| level ${level} | ${ofLevel.length} | ${kept} | ${without.length} | ${open.length} |`
    expect(page.replace(/ +/g, ' ')).toContain(line)
  }
})

it.each([
  ['test: `tools/paths.test.ts` "no such words"', 'has no test'],
  ['test: `tools/none.test.ts` "words"', 'does not exist'],
  ['test: words alone', 'names no test'],
  ['decision: [0000](decisions/0000-none.md)', 'names no such page'],
  ['decision: [metrics](metrics.md)', 'names no such page'],
  ['page: none', 'names no such page'],
  ['page: [metrics](metrics.md#no-such-heading)', 'names no such page'],
  ['not applicable: no', 'gives no reason'],
  ['open: something is missing', 'must end with the decision'],
  ['open: something is missing (decision 9999)', 'must end with the decision'],
  ['', 'begins with none'],
])('a row that says only %s is refused', (verdict, reason) => {
  expect(problem(verdict)).toContain(reason)
})
