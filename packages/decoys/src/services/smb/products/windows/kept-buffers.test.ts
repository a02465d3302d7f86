// What a connection keeps of its peer in memory, by the state itself.
import { expect, it } from 'vitest'
import { COMMAND } from '../../protocol/codec/header.ts'
import { connected, writeBody } from '../../../../../lab/smb/windows/client.ts'
import { bindPdu } from '../../../../../lab/smb/windows/rpc-client.ts'

const SRVSVC = ['4b324fc8-1670-01d3-1278-5a47bf6ee188', 3] as const

it('an open file keeps no buffer, and a login none but its key', () => {
  const files = connected({ dialects: [0x0311] })
  const ofLogin = buffersIn(files.serverState()).length
  for (const name of ['', 'Reports', 'Reports\\notes.txt']) files.open(name)
  expect(buffersIn(files.serverState())).toHaveLength(ofLogin)
  const state = files.serverState()
  for (const session of state?.sessions.values() ?? []) expect(session.preauthHash).toBe(state?.preauthHash)
})

it('an answer that nobody reads keeps no part of the pool that Node cuts small buffers from', () => {
  const pipes = connected({ share: 'IPC$' })
  const pipe = pipes.open('srvsvc', { access: 0x0012019f })
  const bind = bindPdu(...SRVSVC)
  for (const bytes of [bind, bind, bind.subarray(0, 20)]) pipes.request(COMMAND.write, writeBody(pipe, bytes))
  const kept = buffersIn(pipes.serverState())
  expect(kept.length).toBeGreaterThanOrEqual(4)
  for (const buffer of kept) expect(buffer.buffer.byteLength).toBeLessThan(buffer.length + 64)
})

/** Of a tree of objects, maps and lists. The share's own files belong to all connections. */
function buffersIn(value: unknown): Buffer[] {
  if (Buffer.isBuffer(value)) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (value instanceof Map) return [...value.values()].flatMap(buffersIn)
  return Object.entries(value)
    .filter(([name]) => name !== 'node')
    .flatMap(([, part]) => buffersIn(part))
}
