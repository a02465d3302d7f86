// docs/decisions/README.md lists every decision once, under its number and its title.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './clone.mjs'

const folder = join(root, 'docs/decisions')
const records = readdirSync(folder).filter((name) => name !== 'README.md')
const index = readFileSync(join(folder, 'README.md'), 'utf8')
const listed = [...index.matchAll(/^\| *\[(\d{4})\]\((\S+\.md)\) *\| *(.+?) *\|$/gm)].map(
  ([, number, file, title]) => ({
    number,
    file,
    title,
  }),
)

it('the index lists every decision, and nothing else', () => {
  expect(listed.map(({ file }) => file)).toEqual(records)
})

it.each(records)('%s has a number of its own, and the title that the index gives', (file) => {
  const number = file.slice(0, 4)
  expect(records.filter((it) => it.startsWith(number))).toEqual([file])
  const [, heading, title] = /^# (\d{4}): (.+)$/m.exec(readFileSync(join(folder, file), 'utf8')) ?? []
  expect(heading).toBe(number)
  expect(listed.find((it) => it.file === file)).toEqual({ number, file, title })
})
