import { expect, it } from 'vitest'
import { listeningPorts, machine } from './machine.ts'

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1
 123: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:0 0 0
`

it('reads the listening ports of both tables, and leaves connections out', () => {
  expect(listeningPorts(TABLE)).toEqual([22, 80])
})

it('asks again after a while, so that a service that starts is open then', () => {
  let table = TABLE
  const own = machine('127.0.0.1', () => [table])
  own.refresh(0)
  table = TABLE.replace(':0016', ':0017')
  own.refresh(4_999)
  expect([own.isOpen(22), own.isOpen(23)]).toEqual([true, false])
  own.refresh(5_000)
  expect([own.isOpen(22), own.isOpen(23)]).toEqual([false, true])
})

it('a Bird on all addresses is concerned by what others send to this machine, one on loopback by what it sends itself', () => {
  const all = machine('0.0.0.0', () => [])
  all.refresh(0)
  expect(all.concerns('192.0.2.9', '127.0.0.1')).toBe(true)
  expect(all.concerns('192.0.2.9', '192.0.2.10')).toBe(false)
  expect(all.concerns('127.0.0.1', '127.0.0.1')).toBe(false)
  const trial = machine('127.0.0.1', () => [])
  trial.refresh(0)
  expect(trial.concerns('127.0.0.1', '127.0.0.1')).toBe(true)
  expect(trial.concerns('127.0.0.1', '127.0.0.2')).toBe(false)
})
