import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestHost, portOf } from './test-host.ts'
import { compareFresh, type Grammar } from './fresh.ts'
import { lineListener, lines } from './line-service.ts'
import { observe, type Endpoint } from './observe.ts'
import { observeDatagrams } from './observe-udp.ts'
import type { Listener } from '../src/session/session.ts'

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
  await host.apply([
    lineListener(1),
    lineListener(2, 'pears', pears),
    lineListener(3, 'rude', rude),
    lineListener(4, 'weak', weak),
    pager(20, 'pager'),
    pager(21, 'samePager'),
    pager(22, 'otherPager', { read: 'other', last: 'end' }),
    pager(23, 'onePort', { from: undefined }),
    ...Object.entries(MOODS).map(([name, moods], index) => lineListener(5 + index, name, moody(moods))),
  ])
})
afterAll(() => host.close())

/** By UDP: a word is said back; `read` begins a conversation at another port, in which `more` gets the last word. */
function pager(
  port: number,
  instance: string,
  over: { read?: string; last?: string; from?: undefined } = {},
): Listener {
  const { read = 'page', last = 'end' } = over
  const from = 'from' in over ? {} : { from: 'fresh' as const }
  const definition: typeof lines = {
    ...lines,
    decode: (bytes) => (bytes.length === 0 ? undefined : { frame: String(bytes), length: bytes.length }),
    open: () => ({ state: 0 }),
    step(state, word) {
      if (word === 'read') return { state, send: `${read} 7\n`, ...from }
      return { state, send: word === 'more 7' ? last : word }
    },
    closed: () => [],
  }
  return { ...lineListener(port, instance, definition), transport: 'udp', answerBytes: 32 }
}

/** Throws at a plum. */
const weak: typeof lines = {
  ...lines,
  step: (state, line, context) => lines.step(state, line === 'plum' ? 'throw' : line, context),
}

/** What each says to a plum, in turn. */
const MOODS = {
  steady: ['plums'],
  fickle: ['plums', 'prunes'],
  fickleToo: ['prunes', 'plums'],
  seldomRight: ['prunes', 'prunes', 'prunes', 'prunes', 'plums'],
  mostlyRight: ['prunes', 'plums', 'plums', 'plums', 'plums'],
  wild: ['pears', 'prunes', 'plums'],
}

function moody(moods: readonly string[]): typeof lines {
  let asked = 0
  return {
    ...lines,
    step(state, line, context) {
      if (line !== 'plum') return lines.step(state, line, context)
      return { state, send: `${moods[asked++ % moods.length]}\n` }
    },
  }
}

const at = (instance: string): Endpoint => ({ host: '127.0.0.1', port: portOf(host, instance) })
const crashes = () => Promise.resolve({ errors: host.stats.errors, lastError: host.stats.lastError })
const compare = (ours: string, seed: string) =>
  compareFresh({ grammar, seed, count: 24, real: at('line'), ours: at(ours), crashes })

test('two servers that differ only in what a mask hides are equal, and the mask is named', async () => {
  expect(await compare('pears', 'a')).toEqual({
    total: 24,
    equal: 24,
    differences: [],
    masks: ['the word pear'],
    crashes: [],
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

describe('datagrams', () => {
  /** The second one is computed of the first answer. */
  const dialogue: Grammar = {
    masks: [],
    concurrency: 1,
    draw: () => ({
      name: 'read',
      ask: (server) =>
        observeDatagrams(
          server,
          [Buffer.from('read'), ([first = '']) => Buffer.from(`more ${first.trim().split(' ')[1]}`)],
          40,
        ),
    }),
  }
  const comparePagers = (ours: string) =>
    compareFresh({ grammar: dialogue, seed: 'a', count: 1, real: at('pager'), ours: at(ours), crashes })
  const said = '"[from another port] page 7\\n\\nend\\n" open after no time'

  test('and the ports that they come from are compared, in a dialogue that goes by the answers', async () => {
    expect(await comparePagers('samePager')).toMatchObject({ total: 1, equal: 1 })
    expect((await comparePagers('otherPager')).differences).toMatchObject([
      { real: said, ours: said.replace('page', 'other') },
    ])
    expect((await comparePagers('onePort')).differences).toMatchObject([
      { real: said, ours: said.replace('[from another port] ', '') },
    ])
  })
})

describe('where the answers differ, both are asked five times:', () => {
  const onePlum: Grammar = {
    masks: [],
    concurrency: 1,
    draw: () => ({ name: 'plum', ask: (server) => observe(server, ['plum\n'], 60) }),
  }
  const compareMoods = (real: keyof typeof MOODS, ours: keyof typeof MOODS) =>
    compareFresh({ grammar: onePlum, seed: 'a', count: 1, real: at(real), ours: at(ours), crashes })

  test('a decoy that is right one time in five is wrong', async () => {
    const { equal, differences } = await compareMoods('steady', 'seldomRight')
    expect(equal).toBe(0)
    expect(differences[0]!.real).toBe('"hello\\nplums\\n" open after no time')
    expect(differences[0]!.ours).toContain('4 × "hello\\nprunes\\n" open')
  })

  test('a decoy that is wrong one time in five is wrong, where the real server is steady', async () => {
    expect((await compareMoods('steady', 'mostlyRight')).equal).toBe(0)
  })

  test('a decoy that says what a real server says now and then is right', async () => {
    expect((await compareMoods('fickle', 'fickleToo')).equal).toBe(1)
  })

  test('a decoy that says at times what a fickle server never says is wrong', async () => {
    expect((await compareMoods('fickle', 'wild')).equal).toBe(0)
  })
})

test('a crash is found though the client cannot tell, and the probe at which it came is named', async () => {
  const rightlyReset: Grammar = {
    ...grammar,
    draw: (drawn) => {
      const line = drawn.pick(['apple', 'plum'])
      return {
        name: line,
        ask: async (server) => ({ ...(await observe(server, [`${line}\n`], 60)), text: '', close: 'RST' }),
      }
    },
  }
  const result = await compareFresh({
    grammar: rightlyReset,
    seed: 'a',
    count: 12,
    real: at('line'),
    ours: at('weak'),
    crashes,
  })
  expect(result.equal).toBe(12)
  expect(new Set(result.crashes.map((line) => line.slice(0, 4)))).toEqual(new Set(['plum']))
  expect(result.crashes[0]).toContain('a session that throws')
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
    await compareFresh({ grammar: noting, seed, count: 24, real: at('line'), ours: at('pears'), crashes })
    return names
  }
  const [first, again, other] = await Promise.all(['b', 'b', 'c'].map(drawn))
  expect(first).toHaveLength(24)
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
})
