import { describe, expect, it } from 'vitest'
import { step, type Look, type Silence } from './step.ts'
import { parseStat } from './thread-stat.ts'

const LIMIT = 10_000
const LOOK = 500

/** Looks every half second until `untilMs`; answers what was decided, and when. */
function watch(untilMs: number, at: (nowMs: number) => Partial<Look>, before?: Silence) {
  let silence = before
  const said: [number, string][] = []
  for (let nowMs = 0; nowMs <= untilMs; nowMs += LOOK) {
    const look = { nowMs, stamp: 1, cpuMs: 0, isRunning: true, ...at(nowMs) }
    const judgement = step(silence, look, LIMIT)
    silence = judgement.silence
    if (judgement.verdict) said.push([nowMs, judgement.verdict])
    if (judgement.verdict === 'end') break
  }
  return said
}

describe('a main thread that is silent for ten seconds', () => {
  it('is ended when it used its core all that time', () => {
    expect(watch(60_000, (cpuMs) => ({ cpuMs }))).toEqual([[10_000, 'end']])
  })

  it('is ended later when others had three quarters of its core', () => {
    expect(watch(60_000, (nowMs) => ({ cpuMs: nowMs / 4 }))).toEqual([[36_000, 'end']])
  })

  it('is never ended when it gets no core', () => {
    expect(watch(600_000, (nowMs) => ({ cpuMs: nowMs / 100 }))).toEqual([])
  })

  it('is logged once when it waits for a disk, however long and whatever it computes between', () => {
    const between = (nowMs: number): Partial<Look> => ({ isRunning: nowMs % 1_000 === 0, cpuMs: nowMs / 2 })
    expect(watch(120_000, between)).toEqual([[10_000, 'report']])
    const back = watch(40_000, (nowMs) => ({ isRunning: false, stamp: nowMs < 30_000 ? 1 : nowMs }))
    expect(back).toEqual([
      [10_000, 'report'],
      [30_000, 'over'],
    ])
  })
})

describe('a main thread that answers', () => {
  it('is left alone, however much it computes', () => {
    expect(watch(60_000, (nowMs) => ({ cpuMs: nowMs, stamp: Math.floor(nowMs / 9_500) }))).toEqual([])
  })

  it('is not held responsible for a pause of the machine', () => {
    const paused = (nowMs: number): Partial<Look> => ({ nowMs: nowMs < 9_000 ? nowMs : nowMs + 3_600_000 })
    expect(watch(18_000, (nowMs) => ({ ...paused(nowMs), cpuMs: nowMs }))).toEqual([])
    expect(watch(60_000, (nowMs) => ({ ...paused(nowMs), cpuMs: nowMs }))).toEqual([[19_000, 'end']])
  })
})

it('the state and times of a thread are read behind a name with blanks and brackets', () => {
  const fields = 'R 1 2 3 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0'
  expect(parseStat(`42 (a) b) S (x) ${fields}`)).toEqual({ isRunning: true, cpuMs: 3_000 })
  expect(parseStat(`42 (node) ${fields.replace('R', 'D')}`).isRunning).toBe(false)
})
