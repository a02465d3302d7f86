import fc from 'fast-check'
import { expect, test } from 'vitest'
import { probes } from '../../../../../lab/snmp/net-snmp/corpus.ts'
import { mask } from '../../../../../lab/snmp/net-snmp/mask.ts'
import { binding, message, pdu, userMessage } from '../../../../../lab/snmp/client.ts'
import { defaultSettings } from '../../../../../test/default-settings.ts'
import { readAnswers } from '../../../../../test/probe.ts'
import { differences } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { descriptors } from '../../../../descriptors.gen.ts'
import type { BirdSettings, SessionContext } from '../../../../session/session.ts'
import { octets, oid, oidText } from '../../protocol/ber.ts'
import { decodeMessage, PDU, type CommunityMessage } from '../../protocol/message.ts'
import snmp from '../../service.ts'

const agent = (changes: BirdSettings = {}) =>
  snmp.listeners(
    defaultSettings(descriptors, { 'device.name': 'Bird', 'snmp.enabled': true, ...changes }),
  )[0]!.startSession

function ask(question: Buffer, changes: BirdSettings = {}, over: Partial<SessionContext> = {}) {
  const session = agent(changes)(testContext(over))
  session.open()
  const [reply] = session.receive(question)
  return { events: reply?.events ?? [], answer: Buffer.from(reply?.send ?? ''), error: reply?.error }
}

const getNext = (name: string) => message(1, 'public', pdu(PDU.getNext, [binding(name)]))

/** What `snmpwalk -v2c -c public` is answered. */
function walk(changes: BirdSettings = {}, over: Partial<SessionContext> = {}): Map<string, string> {
  const found = new Map<string, string>()
  for (let name = '1.3'; found.size < 1_000;) {
    const { answer } = ask(getNext(name), changes, over)
    const [next] = (decodeMessage(answer) as CommunityMessage).pdu.bindings
    name = oidText(next!.oid)
    if (next!.value[0] === 0x82) break
    found.set(name, next!.value.toString('hex'))
  }
  return found
}

test('99 of 100 questions are answered as net-snmp 5.9.3 answers them', () => {
  const answers = readAnswers(new URL('../../../../../lab/snmp/net-snmp/', import.meta.url))
  const found = differences(probes, answers, agent, mask)
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(found.length / probes.length, JSON.stringify(found, null, 1)).toBeLessThanOrEqual(0.01)
})

test('a Linux machine shows the 45 objects of Debian’s view, a printer 120 and a router 150', () => {
  expect(walk().size).toBe(45)
  const printer = walk({ 'http.enabled': true, 'http.skin': 'printer' })
  expect(printer.size).toBeGreaterThanOrEqual(120)
  // 3: idle, which drivers ask before they print.
  expect(printer.get('1.3.6.1.2.1.25.3.5.1.1.1')).toBe('020103')
  expect(walk({ 'http.enabled': true, 'http.skin': 'router' }).size).toBeGreaterThanOrEqual(150)
})

test('a PLC shows its system group and its port, and knows no users', () => {
  const plc = { 'modbus.enabled': true }
  const found = walk(plc)
  expect(found.size).toBe(7 + 1 + 22)
  expect([...found.keys()].every((name) => /^1\.3\.6\.1\.2\.1\.[12]\./.test(name))).toBe(true)
  expect(ask(userMessage(pdu(PDU.get, [])), plc)).toMatchObject({ answer: Buffer.alloc(0), error: undefined })
})

test('counters of a router count, and its names stay', () => {
  const router = { 'http.enabled': true, 'http.skin': 'router' }
  const at = (now: number) => walk(router, { now: () => now })
  const [before, after] = [at(Date.UTC(2026, 10, 20)), at(Date.UTC(2026, 10, 20, 0, 1))]
  const changed = [...before].filter(([name, value]) => after.get(name) !== value).map(([name]) => name)
  expect(changed).toContain('1.3.6.1.2.1.2.2.1.10.2')
  expect(changed.length).toBeGreaterThan(20)
  expect(after.get('1.3.6.1.2.1.1.5.0')).toBe(before.get('1.3.6.1.2.1.1.5.0'))
})

test('a question raises its event whatever its community, and another one is not answered', () => {
  const names = ['1.3.6.1.2.1.1.5.0', '1.3.6.1.4.1.77.1.2.25']
  const content = pdu(
    PDU.get,
    names.map((name) => binding(name)),
  )
  for (const [community, isAnswered] of [
    ['public', true],
    ['private', false],
  ] as const) {
    const { events, answer } = ask(message(1, community, content))
    expect(events).toEqual([
      { logtype: '13001', fields: { COMMUNITY_STRING: community, REQUESTS: names.join(' ') } },
    ])
    expect(answer.length > 0).toBe(isAnswered)
  }
  const { events } = ask(
    userMessage(content, { user: 'monitor', engineId: Buffer.from('8000000001', 'hex') }),
  )
  expect(events[0]?.fields).toEqual({ COMMUNITY_STRING: '', REQUESTS: names.join(' '), USER: 'monitor' })
})

test('an event tells 64 names at most', () => {
  const many = Array.from({ length: 80 }, (_, at) => binding(`1.3.6.1.2.1.1.${at}`))
  const { events } = ask(message(1, 'public', pdu(PDU.get, many)))
  expect(String(events[0]?.fields['REQUESTS']).split(' ')).toHaveLength(64)
})

test('no answer is longer than 1,472 bytes: a walk in bulk gets fewer repetitions, a question for too much an error', () => {
  const bulk = ask(message(1, 'public', pdu(PDU.getBulk, [binding('1.3')], [1, 0, 100_000])))
  expect(bulk.answer.length).toBeLessThanOrEqual(1_472)
  expect((decodeMessage(bulk.answer) as CommunityMessage).pdu.bindings.length).toBeGreaterThan(15)
  const much = ask(message(1, 'public', pdu(PDU.get, Array<Buffer>(60).fill(binding('1.3.6.1.2.1.1.1.0')))))
  expect((decodeMessage(much.answer) as CommunityMessage).pdu).toMatchObject({ status: 1, bindings: [] })
})

test('the name in sysName, sysDescr and the story is one', () => {
  const found = walk({ 'device.host_name': 'core-17' })
  for (const name of ['1.3.6.1.2.1.1.1.0', '1.3.6.1.2.1.1.5.0'])
    expect(Buffer.from(found.get(name)!, 'hex').toString()).toContain('core-17')
})

test('what is changed is refused, and stays', () => {
  const name = binding('1.3.6.1.2.1.1.5.0', octets('owned'))
  const { answer } = ask(message(1, 'public', pdu(PDU.set, [name])))
  expect((decodeMessage(answer) as CommunityMessage).pdu).toMatchObject({ status: 6, index: 1 })
})

test('an object identifier is the same behind its encoding', () => {
  for (const text of ['1.3.6.1.2.1', '0.0', '2.999.3', '1.3.6.1.4294967295'])
    expect(oidText(oid(text))).toBe(text)
})

test('no garbage makes the session throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(60), (bytes, at) => {
      const good = message(1, 'public', pdu(PDU.get, [binding('1.3.6.1.2.1.1.5.0')]))
      expect(ask(Buffer.from(bytes)).error).toBeUndefined()
      expect(ask(Buffer.concat([good.subarray(0, at), Buffer.from(bytes)])).error).toBeUndefined()
    }),
    { numRuns: 300 },
  )
  expect(ask(Buffer.from('307e'.repeat(128), 'hex')).answer).toHaveLength(0)
})
