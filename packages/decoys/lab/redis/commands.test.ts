// What fresh probes are judged over: commands that somebody sends, and that the decoy answers itself.
import { expect, test } from 'vitest'
import { findSpec, lookUp } from '../../src/services/redis/products/redis-server/command-table/table.ts'
import { isServed } from '../../src/services/redis/products/redis-server/execute.ts'
import { drawFrom } from '../../test/draw.ts'
import { metCommands, metUnknown } from './commands.ts'
import { drawWords, templates } from './redis-server/templates.ts'

const nameOf = (template: string): string | undefined => lookUp(template.split(' '))?.name
const isMetUnknown = (template: string): boolean =>
  [...metUnknown.keys()].some((command) => template.startsWith(command)) || /^v\b/.test(template)

const ANSWERED_BY_SESSION = 'quit'

test('every command that is met is one of Redis 7.0, and the decoy serves it', () => {
  const found = [...metCommands.keys()].filter((name) => {
    const spec = findSpec(name)
    return !spec || !(isServed(spec) || name === ANSWERED_BY_SESSION)
  })
  expect(metCommands.size).toBeGreaterThan(130)
  expect(found).toEqual([])
  expect(isServed(findSpec('geosearch')!) && isServed(findSpec('spublish')!)).toBe(true)
  expect(isServed(findSpec('xsetid')!)).toBe(false)
})

test('every command that is met says who sends it', () => {
  const silent = [...metCommands, ...metUnknown].filter(([, sources]) => sources.length === 0)
  expect(silent).toEqual([])
})

test('what is met although Redis has it not, Redis has not', () => {
  expect([...metUnknown.keys()].filter((command) => nameOf(command) !== undefined)).toEqual([])
})

test('fresh probes draw from commands that are met, and from nothing else', () => {
  const others = templates.filter((template) => {
    const name = nameOf(template)
    return name === undefined ? !isMetUnknown(template) : !metCommands.has(name)
  })
  expect(others).toEqual([])
  const draw = drawFrom('met')
  const drawn = Array.from({ length: 2_000 }, () => drawWords(draw))
  expect(new Set(drawn.map((words) => lookUp(words)?.name)).size).toBeGreaterThan(120)
})

/** MONITOR shows other connections, and COMMAND is as long as all other answers together. */
const NOT_DRAWN = ['monitor', 'command']

test('every command that is met may be drawn', () => {
  const drawn = new Set(templates.map(nameOf))
  expect([...metCommands.keys()].filter((name) => !drawn.has(name))).toEqual(NOT_DRAWN.toReversed())
})
