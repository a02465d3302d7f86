import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../../tools/clone.mjs'
import { readBlocks } from './page-blocks.ts'

const PAGES = ['install', 'operate', 'troubleshooting']

it.each(PAGES)(
  'each block of commands of docs/%s.md names a machine of the proof, so that it is run',
  (name) => {
    const page = readFileSync(join(root, `docs/${name}.md`), 'utf8')
    const fences = page.match(/^```(?:sh|console|bash).*$/gm) ?? []
    const blocks = readBlocks(page)
    expect(blocks).toHaveLength(fences.length)
    expect(blocks.filter(({ where }) => !['clone', 'console', 'bird'].includes(where))).toEqual([])
  },
)
