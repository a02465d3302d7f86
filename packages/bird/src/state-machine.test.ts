import { expect, test } from 'vitest'
import { manualClock } from '../test/clocks.ts'
import { runMachine, type Woken } from './state-machine.ts'

type Input = { readonly name: 'add'; readonly n: number } | { readonly name: 'due'; readonly at: number }
type Output = { readonly name: 'added'; readonly n: number } | { readonly name: 'woken'; readonly at: number }

interface Sum {
  readonly sum: number
  readonly dueAt: number | undefined
}

function adder(perform: (output: Output) => void) {
  const clock = manualClock()
  const machine = runMachine<Sum, Input, Output>({
    initial: { sum: 0, dueAt: undefined },
    step(state, input: Input | Woken, nowMs) {
      switch (input.name) {
        case 'add':
          return { state: { ...state, sum: state.sum + input.n }, outputs: [{ name: 'added', n: input.n }] }
        case 'due':
          return { state: { ...state, dueAt: input.at }, outputs: [] }
        case 'woken':
          if (state.dueAt === undefined || nowMs < state.dueAt) return { state, outputs: [] }
          return { state: { ...state, dueAt: undefined }, outputs: [{ name: 'woken', at: nowMs }] }
      }
    },
    wakeAt: ({ dueAt }) => dueAt,
    perform,
    clock,
  })
  return { machine, clock }
}

test('an input that an output causes is handled after the present input', () => {
  const log: string[] = []
  const { machine } = adder((output) => {
    if (output.name !== 'added') return
    log.push(`begin ${output.n}`)
    if (output.n < 3) machine.send({ name: 'add', n: output.n + 1 })
    log.push(`end ${output.n}`)
  })
  machine.send({ name: 'add', n: 1 })
  expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3'])
  expect(machine.state().sum).toBe(6)
})

test('it is woken once, at the time of its last state, and not after stop', () => {
  const wokenAt: number[] = []
  const { machine, clock } = adder((output) => void (output.name === 'woken' && wokenAt.push(output.at)))
  machine.send({ name: 'due', at: 100 })
  machine.send({ name: 'due', at: 250 })
  clock.pass(1_000)
  expect(wokenAt).toEqual([250])
  machine.send({ name: 'due', at: 2_000 })
  machine.stop()
  clock.pass(5_000)
  machine.send({ name: 'add', n: 1 })
  expect([wokenAt, machine.state().sum]).toEqual([[250], 0])
})

test('an output that fails throws to the sender of the input, and later inputs are handled', () => {
  const { machine, clock } = adder((output) => {
    if (output.name === 'added' && output.n === 13) throw new Error('ENOSPC')
  })
  expect(() => machine.send({ name: 'add', n: 13 })).toThrow('ENOSPC')
  machine.send({ name: 'add', n: 1 })
  machine.send({ name: 'due', at: 10 })
  clock.pass(10)
  expect(machine.state()).toEqual({ sum: 14, dueAt: undefined })
})
