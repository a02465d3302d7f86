import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { decodeFrame, encodeBody, encodeFrame, MAX_BODY_BYTES } from './frames.ts'
import {
  COMMANDS,
  MESSAGES,
  FILE_STATES,
  MAX_FILE_BYTES,
  REFUSALS,
  SENSOR_WAYS,
  type Body,
  type Frame,
  type FrameKind,
} from './messages.ts'

const hex = (digits: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits, maxLength: digits })
    .map((all) => all.join(''))
const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength: Math.floor(maxLength / 8) })
const count = fc.nat()
const instant = fc.integer({ min: -8.64e15, max: 8.64e15 })
const clocks = { wallMs: instant, monotonicMs: count, bootId: hex(32) }
const settings = fc.record({ tag: text(128), seq: count })
const device = fc.record({
  name: text(255),
  ip: text(64),
  mac: text(32),
  netmask: text(64),
  os: text(255),
  sensor: text(64),
})
const port = fc.integer({ min: -1, max: 65535 })
const registered = fc.record({
  nodeId: hex(16),
  settingsTag: fc.oneof(text(128), fc.constant(null)),
  serverMs: instant,
  acked: fc.record({ spoolId: hex(32), upto: count }),
})
const event = fc.record({
  seq: fc.integer({ min: 1, max: 2 ** 40 }),
  at: instant,
  mono: count,
  boot: hex(32),
  logtype: fc.integer({ min: 0, max: 999_999 }).map(String),
  instance: text(64),
  srcHost: text(255),
  srcPort: port,
  dstHost: text(255),
  dstPort: port,
  fields: fc.dictionary(
    fc.string().filter((key) => key !== '__proto__'),
    fc.string({ unit: anyCharacter }),
  ),
})

const decoys = {
  serviceCount: count,
  notStanding: fc.array(fc.record({ instance: text(64), reason: text(255) }), { maxLength: 3 }),
  sensors: fc.array(
    fc.record({ instance: text(64), way: fc.constantFrom(...SENSOR_WAYS), reason: text(255) }),
    { maxLength: 2 },
  ),
}

const bodies: { [K in FrameKind]: fc.Arbitrary<Body<K>> } = {
  HELLO: fc.record(
    {
      protocol: fc.nat(65535),
      version: text(32),
      ...clocks,
      uptimeS: count,
      device,
      settings,
      wasRollback: fc.boolean(),
      ...decoys,
      spool: fc.record({ spoolId: hex(32), first: count, next: count }),
      enrol: hex(26),
      nodeId: hex(16),
    },
    {
      requiredKeys: [
        'protocol',
        'version',
        'wallMs',
        'monotonicMs',
        'bootId',
        'uptimeS',
        'device',
        'settings',
        'wasRollback',
        'serviceCount',
        'notStanding',
        'spool',
      ],
    },
  ),
  PENDING: fc.record({ serverMs: instant }),
  COMMISSIONED: registered,
  REGISTERED: registered,
  REFUSED: fc.record(
    { reason: fc.constantFrom(...REFUSALS), message: text(500), retryAfterS: fc.nat(86400) },
    { requiredKeys: ['reason', 'message'] },
  ),
  GOODBYE: fc.record({ reason: text(200), retryAfterS: fc.nat(86400) }, { requiredKeys: ['reason'] }),
  HEARTBEAT: fc.record({
    ...clocks,
    uptimeS: count,
    settings,
    wasRollback: fc.boolean(),
    ...decoys,
    spooled: count,
  }),
  HEARTBEAT_ACK: fc.record({ serverMs: instant }),
  EVENT_BATCH: fc.record({
    spoolId: hex(32),
    first: count,
    ...clocks,
    events: fc.array(event, { minLength: 1, maxLength: 5 }),
  }),
  ACK: fc.record({ spoolId: hex(32), upto: count }),
  SETTINGS_OFFER: fc.record({
    tag: text(128),
    seq: count,
    sha256: hex(64),
    size: fc.integer({ min: 2, max: 2 ** 20 }),
  }),
  SETTINGS_FETCH: fc.record({ tag: text(128), offset: count, length: fc.integer({ min: 1, max: 32768 }) }),
  SETTINGS_CHUNK: fc.record({
    tag: text(128),
    offset: count,
    bytes: fc.uint8Array({ maxLength: 32768 }).map((raw) => Buffer.from(raw).toString('base64')),
  }),
  SETTINGS_APPLIED: fc.record({ tag: text(128), seq: count, ...decoys }),
  SETTINGS_FAILED: fc.record({ tag: text(128), seq: count, reason: text(500) }),
  SETTINGS_REVERTED: fc.record({ tag: text(128), seq: count, to: text(128), reason: text(500) }),
  CMD: fc.record({ id: text(64), kind: fc.constantFrom(...COMMANDS), payload: fc.constant({}) }),
  CMD_RESULT: fc.record({ id: text(64), ok: fc.boolean(), detail: text(500) }),
  LOG: fc.record({
    level: fc.constantFrom('info' as const, 'warning' as const, 'error' as const),
    at: instant,
    message: text(2000),
  }),
  FILE_OFFER: fc.record(
    {
      job: hex(32),
      kind: text(32),
      file: fc.record({ sha256: hex(64), size: fc.nat(MAX_FILE_BYTES) }),
      cancelled: fc.boolean(),
    },
    { requiredKeys: ['job', 'kind'] },
  ),
  FILE_FETCH: fc.record({ job: hex(32), offset: count, length: fc.integer({ min: 1, max: 32768 }) }),
  FILE_CHUNK: fc.record({
    job: hex(32),
    offset: count,
    bytes: fc.uint8Array({ maxLength: 32768 }).map((raw) => Buffer.from(raw).toString('base64')),
  }),
  FILE_STATE: fc.record({
    job: hex(32),
    state: fc.constantFrom(...FILE_STATES),
    copied: count,
    pid: count,
    reason: text(4000),
  }),
}
const kinds = Object.keys(MESSAGES) as FrameKind[]
const anyFrame: fc.Arbitrary<Frame> = fc
  .constantFrom(...kinds)
  .chain((kind) =>
    bodies[kind].map((body) => ({ kind, body: JSON.parse(JSON.stringify(body)) as unknown }) as Frame),
  )

test('every frame comes back as it was sent', () => {
  fc.assert(
    fc.property(anyFrame, (frame) => {
      expect(decodeFrame(encodeFrame(frame))).toEqual({ frame })
    }),
    { numRuns: 500 },
  )
})

test('no bytes make the decoder throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void decodeFrame(bytes)),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(
      anyFrame,
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1 }),
      fc.nat(),
      (frame, edits, length) => {
        const bytes = encodeFrame(frame)
        for (const [at, value] of edits) bytes[at % bytes.length] = value
        decodeFrame(bytes)
        const short = decodeFrame(bytes.subarray(0, length % bytes.length))
        expect(short).toHaveProperty('problem')
      },
    ),
    { numRuns: 500 },
  )
})

test('a wrong body is refused by the name of the frame and the place', () => {
  const decoded = decodeFrame(encodeBody('ACK', '{"spoolId":"ab","upto":1}'))
  expect(decoded).toEqual({ problem: expect.stringMatching(/^ACK frame: \/spoolId must match/) as string })
  expect(decodeFrame(encodeBody('ACK', '[1'))).toEqual({ problem: 'ACK frame: the body is not JSON' })
  expect(decodeFrame(Buffer.from([2, 0, 0]))).toEqual({ problem: 'unknown frame code 2' })
})

test('a body over the limit is not sent', () => {
  expect(() => encodeBody('LOG', ' '.repeat(MAX_BODY_BYTES + 1))).toThrow(`${MAX_BODY_BYTES} bytes`)
})

test('no two frames share a code', () => {
  expect(new Set(kinds.map((kind) => MESSAGES[kind].code)).size).toBe(kinds.length)
})
