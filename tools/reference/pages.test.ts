import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { consoleLogtypes } from '@rookery/console/logtypes.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import { descriptors as services } from '@rookery/decoys/descriptors.gen.ts'
import { birdLogtypes } from '@rookery/link/bird-logtypes.ts'
import { root } from '../clone.mjs'
import { code, table } from './markdown.ts'
import { referencePages } from './pages.ts'

const folder = join(root, 'docs/reference')
const pages = referencePages()

describe('docs/reference', () => {
  it.each(pages)('$name is what the generator makes: run `npm run generate`', ({ name, text }) => {
    expect(existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '').toBe(text)
  })

  it('holds no other page', () => {
    expect(readdirSync(folder).sort()).toEqual(pages.map(({ name }) => name).sort())
  })

  it('says of every operation where it is, and how it is called', () => {
    const whole = pages.map(({ text }) => text).join('\n')
    for (const group of Object.values(groups))
      for (const { method, path, title } of Object.values(group) as readonly {
        method: string
        path: string
        title: string
      }[]) {
        expect(whole).toContain(`\`${method} /api/v1${path}\``)
        expect(whole).toContain(`## ${title}`)
        expect(whole).toContain(`"$CONSOLE/api/v1${path}"`)
      }
  })

  it('says of every incident of a decoy, a Bird and the console what it means and what to do next', () => {
    const whole = pages.map(({ text }) => text).join('\n')
    for (const { logtype, meaning, next } of [
      ...services.flatMap(({ logtypes }) => logtypes),
      ...birdLogtypes,
      ...consoleLogtypes,
    ])
      expect(whole).toContain(`| ${logtype} | ${meaning} | ${next.join(' ')} |`)
  })

  it('links only to what is there', () => {
    for (const { name, text } of pages)
      for (const [, target = ''] of text.matchAll(/\]\(([^)#]+\.md)\)/g))
        expect(existsSync(join(folder, dirname(name), target)), `${name} → ${target}`).toBe(true)
  })
})

it('a table keeps its shape whatever a cell says', () => {
  expect(table(['A', 'B'], [['a|b', '<c>\n`<d>`']])).toBe(
    '| A | B |\n| --- | --- |\n| a\\|b | &lt;c> `<d>` |',
  )
  expect(table(['A'], [])).toBe('')
  expect(code('a`b')).toBe('`` a`b ``')
})
