import { limit, withMax } from '@rookery/kernel/limit.ts'
import { expect, it } from 'vitest'
import { sendBacklog } from './send-backlog.ts'

const bound = withMax(limit('test_bytes_to_send', 0), 100)

it('beyond the bound, those that are blocked longest are given up, and no more of them than it takes', () => {
  const backlog = sendBacklog<string>(bound)
  expect(backlog.waiting('first', 40)).toEqual([])
  expect(backlog.waiting('second', 60)).toEqual([])
  expect(backlog.waiting('third', 10)).toEqual(['first'])
  expect(backlog.waiting('third', 30)).toEqual([])
  expect(backlog.waiting('fourth', 70)).toEqual(['second'])
})

it('what is sent counts no more, and a connection counts once', () => {
  const backlog = sendBacklog<string>(bound)
  backlog.waiting('first', 90)
  backlog.sent('first')
  backlog.sent('first')
  expect(backlog.waiting('second', 90)).toEqual([])
  expect(backlog.waiting('second', 100)).toEqual([])
  expect(backlog.waiting('second', 101)).toEqual(['second'])
})
