// The codecs of G5 in their processes, at the size of a test; those of the decoys have tests of their own.
import { expect, it } from 'vitest'
import { isShort } from '@rookery/kernel/test/size.ts'
import { encode } from 'dns-packet'
import { testMutations } from '../../../../packages/decoys/test/mutations/suite.ts'
import { services } from '../../../../packages/decoys/src/services.gen.ts'
import { everyCodec } from './codecs.ts'
import { inProcesses } from './processes.ts'
import { faultOf, queries } from './queries.ts'

testMutations(queries)

it('every service of the decoys has frames to mutate', async () => {
  const names = Object.keys(await everyCodec())
  for (const service of Object.keys(services)) expect(names).toContain(service)
  expect(names).toEqual(expect.arrayContaining(['ssh under keys', 'DNS']))
})

it('a process sends its frames, weighs itself, and says what came of them', async ({ skip }) => {
  skip(isShort)
  const [report] = await inProcesses([{ name: 'DNS', frames: 1_000, seed: 'a' }])
  expect(report).toMatchObject({ name: 'DNS', frames: 1_000, failed: 0, failures: [], isHeard: true })
  expect(report?.memoryMb).toHaveLength(10)
  expect(report?.growthMb).toBeLessThan(32)
})

it('a codec that is unknown, or that hangs, is a failure with its name, and others go on', async ({
  skip,
}) => {
  skip(isShort)
  const jobs = ['none', 'DNS'].map((name) => ({ name, frames: 100, seed: 'a' }))
  const [unknown, known] = await inProcesses(jobs)
  expect(unknown).toMatchObject({ failed: 1, isHeard: false })
  expect(unknown?.failures[0]).toContain('none, seed a: its process ended')
  expect(known?.failed).toBe(0)
  // Nothing is said within no time.
  const [silent] = await inProcesses([{ name: 'DNS', frames: 1e9, seed: 'a' }], { patienceMs: 1 })
  expect(silent?.failures[0]).toContain('DNS, seed a: hung behind frame 0')
})

it('an answer of DNS that is too long, or of a name that is not ours, is a fault', () => {
  const question = (name: string): Buffer =>
    encode({ type: 'query', id: 7, questions: [{ name, type: 'A' }] })
  const answered = (name: string, records: number): Buffer => {
    const bytes = Buffer.concat([question(name), Buffer.alloc(20 * records)])
    bytes.writeUInt16BE(0x8000, 2)
    bytes.writeUInt16BE(records, 6)
    return bytes
  }
  const [ours, other] = ['abc.t.example', 'example.com']
  expect(faultOf(question(ours), [answered(ours, 1)], 'udp')).toBeUndefined()
  expect(faultOf(question(ours), [answered(ours, 9)], 'udp')).toContain('bytes to')
  expect(faultOf(question(ours), [answered(ours, 9)], 'tcp')).toBeUndefined()
  expect(faultOf(question(other), [answered(other, 0)], 'udp')).toBeUndefined()
  expect(faultOf(question(other), [answered(other, 1)], 'udp')).toContain('outside')
  expect(faultOf(question(ours), [answered(ours, 1), answered(ours, 1)], 'udp')).toContain('twice')
  expect(faultOf(question(ours), [question(ours)], 'udp')).toContain('a query')
})
