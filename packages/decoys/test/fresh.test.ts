import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestHost, portOf } from './test-host.ts'
import { compareFresh, type Grammar } from './fresh.ts'
import { lineListener, lines } from './line-service.ts'
import { observe, type Endpoint } from './observe.ts'

const grammar: Grammar = {
  masks: [{ name: 'the word pear', hide: (text) => text.replaceAll('pear', 'apple') }],
  concurrency: 4,
  draw(draw) {
    const line = draw.pick(['apple', 'plum', 'leave', 'reset'])
    return { name: line, ask: (server) => observe(server, [`${line}\n`], 60) }
  },
}

const { host } = openTestHost()
beforeAll(async () => {
  const pears: typeof lines = {
    ...lines,
    step: (state, line, context) =>
      line === 'apple' ? { state, send: 'pear\n' } : lines.step(state, line, context),
  }
  const rude: typeof lines = {
    ...lines,
    step: (state, line, context) => ({
      ...lines.step(state, line, context),
      ...(line === 'leave' && { close: 'reset' as const }),
      ...(line === 'plum' && { send: 'plums\n' }),
    }),
  }
  await host.apply([lineListener(1), lineListener(2, 'pears', pears), lineListener(3, 'rude', rude)])
})
afterAll(() => host.close())

const at = (instance: string): Endpoint => ({ host: '127.0.0.1', port: portOf(host, instance) })
const compare = (ours: string, seed: string) =>
  compareFresh({ grammar, seed, count: 24, real: at('line'), ours: at(ours) })

test('two servers that differ only in what a mask hides are equal, and the mask is named', async () => {
  expect(await compare('pears', 'a')).toEqual({
    total: 24,
    equal: 24,
    differences: [],
    masks: ['the word pear'],
  })
})

test('other bytes and another kind of close are differences, shown with both answers', async () => {
  const { total, equal, differences } = await compare('rude', 'a')
  expect(equal + differences.length).toBe(total)
  const [plum, leave] = ['plum', 'leave'].map((name) => differences.find(({ probe }) => probe === name)!)
  expect(plum).toMatchObject({
    real: '"hello\\nplum\\n" open after no time',
    ours: '"hello\\nplums\\n" open after no time',
  })
  expect(leave!.real).toContain('FIN')
  expect(leave!.ours).toContain('RST')
  expect(new Set(differences.map(({ probe }) => probe))).toEqual(new Set(['plum', 'leave']))
})

test('a seed repeats its probes', async () => {
  const drawn = async (seed: string): Promise<string[]> => {
    const names: string[] = []
    const noting: Grammar = {
      ...grammar,
      draw(draw) {
        const probe = grammar.draw(draw)
        names.push(probe.name)
        return probe
      },
    }
    await compareFresh({ grammar: noting, seed, count: 24, real: at('line'), ours: at('pears') })
    return names
  }
  const [first, again, other] = await Promise.all(['b', 'b', 'c'].map(drawn))
  expect(first).toHaveLength(24)
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
})
