// DUMP and RESTORE: a value as bytes, and back.
import { ErrorReply, syntaxError, toInt64, toInteger, upper } from '../arguments.ts'
import { find, put, remove } from '../values/find.ts'
import type { Call, Command } from '../model/call.ts'
import { sizeOf, type Entry } from '../values/keyspace.ts'
import { dumpPayload, isPayload, readPayload } from '../rdb/payload.ts'
import { bulk, nil, OK, OOM } from '../../../protocol/resp.ts'
import { spend } from '../work-budget.ts'

interface RestoreOptions {
  replaces: boolean
  isAbsolute: boolean
  idleSeconds: number
}

function readOptions(words: readonly string[]): RestoreOptions {
  const options: RestoreOptions = { replaces: false, isAbsolute: false, idleSeconds: 0 }
  // One of both, once.
  let hasUse = false
  for (let at = 0; at < words.length; at += 1) {
    const word = upper(words[at])
    if (word === 'REPLACE') options.replaces = true
    else if (word === 'ABSTTL') options.isAbsolute = true
    else if ((word === 'IDLETIME' || word === 'FREQ') && at + 1 < words.length && !hasUse) {
      const value = toInteger(words[(at += 1)])
      if (word === 'IDLETIME' && value < 0) throw new ErrorReply('ERR Invalid IDLETIME value, must be >= 0')
      if (word === 'FREQ' && (value < 0 || value > 255))
        throw new ErrorReply('ERR Invalid FREQ value, must be >= 0 and <= 255')
      if (word === 'IDLETIME') options.idleSeconds = value
      hasUse = true
    } else throw syntaxError()
  }
  return options
}

const restore: Command = (call) => {
  const [, key = '', ttl, payload = '', ...words] = call.args
  const { replaces, isAbsolute, idleSeconds } = readOptions(words)
  if (!replaces && find(call, key)) throw new ErrorReply('BUSYKEY Target key name already exists.')
  const time = Number(toInt64(ttl))
  if (time < 0) throw new ErrorReply('ERR Invalid TTL value, must be >= 0')
  if (!isPayload(payload)) throw new ErrorReply('ERR DUMP payload version or checksum are wrong')
  spend(call, payload.length)
  const entry = readPayload(payload)
  if (!entry) throw new ErrorReply('ERR Bad data format')
  if (call.server.keyspace.isFull(sizeOf(entry))) return OOM
  if (replaces) remove(call, key)
  if (time > 0) entry.expiresAt = isAbsolute ? time : call.now + time
  if (time > 0 && entry.expiresAt! <= call.now) return OK
  entry.usedAt = call.now - idleSeconds * 1000
  store(call, key, entry)
  return OK
}

function store(call: Call, key: string, entry: Entry): void {
  put(call, key, entry)
  if (entry.type !== 'string') call.server.keyspace.addEntryBytes(entry)
}

export const dump: Record<string, Command> = {
  dump: (call) => {
    const entry = find(call, call.args[1]!)
    if (!entry) return nil(call.client.resp)
    spend(call, sizeOf(entry))
    return bulk(dumpPayload(call.server.config, entry))
  },
  restore,
  'restore-asking': restore,
}
