// The frames that Bird and console exchange: code, direction and the schema of the body, from which the types are inferred.
// Instants are milliseconds UTC. Unknown members are ignored, so that a newer release may add some.
import Type, { type Static, type TSchema } from 'typebox'
import { MAX_MIRROR_LENGTH } from './release/mirror.ts'
import { MAX_MANIFEST_BYTES, MAX_SIGNATURE_BYTES } from './release/signature.ts'

/** The version of the protocol, named in HELLO; a console refuses one that it does not know. */
export const PROTOCOL = 1

/** Most events of one batch; the size of a frame (frames.ts) is usually met first. */
export const MAX_BATCH_EVENTS = 1000

/** Most bytes of a bundle's settings, as JSON text. */
const MAX_SETTINGS_BYTES = 1024 * 1024

/** Bytes of settings in one SETTINGS_CHUNK, before base64: the whole fits into a frame. */
export const CHUNK_BYTES = 32 * 1024

const Hex = (digits: number) => Type.String({ pattern: `^[0-9a-f]{${digits}}$` })
const Text = (maxLength: number) => Type.String({ maxLength })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Instant = Type.Integer({ minimum: -8.64e15, maximum: 8.64e15 })
const Port = Type.Integer({ minimum: -1, maximum: 65535 })

const SpoolId = Hex(32)
const BootId = Hex(32)
const Tag = Text(128)
const Sha256 = Hex(64)

/** A Bird's machine; an empty text means unknown. */
const Device = Type.Object({
  name: Text(255),
  /** The address by which it reaches the console. */
  ip: Text(64),
  mac: Text(32),
  netmask: Text(64),
  /** Kernel and release, for people. */
  os: Text(255),
  /** What its software was built for, such as `linux-x64`: an update names the kinds of sensors that it fits. */
  sensor: Text(64),
})

/** The Bird's clocks at one moment. Wall time may be wrong; monotonic time counts from the boot named `bootId`. */
const Clocks = {
  wallMs: Instant,
  monotonicMs: Count,
  bootId: BootId,
}

/** Most services that are named as not standing, and most characters of the reason of each. */
export const MAX_NOT_STANDING = 32
export const MAX_REASON = 255

export const SENSOR_WAYS = ['packets', 'connections'] as const
export const MAX_SENSORS = 8

/** Most characters of the sentence about the IP stack. */
export const MAX_IP_STACK = 500

/** Who can touch the decoys: `own-machine` when they listen on loopback alone. */
export const REACHES = ['network', 'own-machine'] as const
export type Reach = (typeof REACHES)[number]

/** Services of the settings in force. */
const Decoys = {
  /** Those whose ports are open. */
  serviceCount: Count,
  /** Those that do not listen, by their instance, and why: `port 22 is in use`. */
  notStanding: Type.Array(Type.Object({ instance: Text(64), reason: Text(MAX_REASON) }), {
    maxItems: MAX_NOT_STANDING,
  }),
  /** What notices touches without a port, such as `portscan`, by which way, and why not by packets; absent when none is on. */
  sensors: Type.Optional(
    Type.Array(Type.Object({ instance: Text(64), way: Type.Enum(SENSOR_WAYS), reason: Text(MAX_REASON) }), {
      maxItems: MAX_SENSORS,
    }),
  ),
  /** Why the IP stack does not answer as the settings claim, as a sentence; absent when it does, or was not asked to. */
  ipStack: Type.Optional(Text(MAX_IP_STACK)),
  /** Absent from Birds of earlier releases. */
  reach: Type.Optional(Type.Enum(REACHES)),
  /** Added to every port of the settings; absent from Birds of earlier releases, and where the system chose the ports. */
  portOffset: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
}

const Hello = Type.Object({
  protocol: Type.Integer({ minimum: 0, maximum: 65535 }),
  /** Of the Bird's software, such as `3.0.0`. */
  version: Text(32),
  ...Clocks,
  uptimeS: Count,
  device: Device,
  /** The bundle whose settings are in force; tag empty and seq 0 when there is none. */
  settings: Type.Object({ tag: Tag, seq: Count }),
  /** The Bird rolled back to an earlier bundle, and no other one has been applied since. */
  wasRollback: Type.Boolean(),
  ...Decoys,
  /** `next`: the number of the next event. `first`: the oldest event that is still stored, or `next` when there is none. */
  spool: Type.Object({ spoolId: SpoolId, first: Count, next: Count }),
  /** The secret of an enrolment code, hex (enrolment.ts). Sent only while the Bird has no node id. */
  enrol: Type.Optional(Hex(26)),
  /** The node id from COMMISSIONED or REGISTERED. */
  nodeId: Type.Optional(Hex(16)),
  /** 1 when it takes files: frames 96 to 99. */
  files: Type.Optional(Type.Literal(1)),
  /** 1 when a launcher started it, which can start another release of its software. */
  updates: Type.Optional(Type.Literal(1)),
})

const Pending = Type.Object({ serverMs: Instant })

const Registered = Type.Object({
  nodeId: Hex(16),
  /** The tag of the settings that the Bird should have; null: none yet, wait for SETTINGS_OFFER. */
  settingsTag: Type.Union([Tag, Type.Null()]),
  serverMs: Instant,
  /** The console has stored all events of the spool named in HELLO up to and including `upto` (0: none). */
  acked: Type.Object({ spoolId: SpoolId, upto: Count }),
})

export const REFUSALS = [
  'protocol',
  'bad-enrolment',
  'cancelled',
  'revoked',
  'too-many',
  'bad-frame',
  'superseded',
  'unavailable',
] as const

const Refused = Type.Object({
  reason: Type.Enum(REFUSALS),
  /** A sentence for the Bird's log. */
  message: Text(500),
  /** When the Bird may connect again; without it, the Bird's own back-off decides. */
  retryAfterS: Type.Optional(Type.Integer({ minimum: 0, maximum: 86400 })),
})

const Heartbeat = Type.Object({
  ...Clocks,
  uptimeS: Count,
  settings: Type.Object({ tag: Tag, seq: Count }),
  wasRollback: Type.Boolean(),
  ...Decoys,
  /** Events in the spool that the console has not acknowledged. */
  spooled: Count,
})

const HeartbeatAck = Type.Object({ serverMs: Instant })

/** One numbered event of the spool: a touch, and its time on the Bird's clocks. */
const SpoolEvent = Type.Object({
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  /** Wall time. */
  at: Instant,
  /** Monotonic milliseconds since `boot` began. */
  mono: Count,
  boot: BootId,
  logtype: Type.String({ pattern: '^[0-9]{1,9}$' }),
  instance: Text(64),
  srcHost: Text(255),
  srcPort: Port,
  dstHost: Text(255),
  /** The logical port: 22, never 20022. */
  dstPort: Port,
  fields: Type.Record(Type.String(), Type.Unknown()),
})

const EventBatch = Type.Object({
  spoolId: SpoolId,
  /** The number of the first event. Numbers rise by one, except where a full spool dropped events. */
  first: Count,
  /** The Bird's clocks when it sent the batch: with an event's `mono` and `boot` they correct its `at`. */
  ...Clocks,
  events: Type.Array(SpoolEvent, { minItems: 1, maxItems: MAX_BATCH_EVENTS }),
})

const Ack = Type.Object({ spoolId: SpoolId, upto: Count })

const SettingsOffer = Type.Object({
  tag: Tag,
  /** Rises with every bundle of this Bird. */
  seq: Count,
  /** Of the settings' JSON text, UTF-8. */
  sha256: Sha256,
  size: Type.Integer({ minimum: 2, maximum: MAX_SETTINGS_BYTES }),
})
const SettingsFetch = Type.Object({
  tag: Tag,
  offset: Count,
  length: Type.Integer({ minimum: 1, maximum: CHUNK_BYTES }),
})
const SettingsChunk = Type.Object({
  tag: Tag,
  offset: Count,
  /** Base64 of the bytes. */
  bytes: Type.String({ maxLength: Math.ceil(CHUNK_BYTES / 3) * 4 }),
})
const SettingsApplied = Type.Object({ tag: Tag, seq: Count, ...Decoys })
const SettingsFailed = Type.Object({ tag: Tag, seq: Count, reason: Text(500) })
const SettingsReverted = Type.Object({ tag: Tag, seq: Count, to: Tag, reason: Text(500) })

const Command = Type.Object({
  id: Text(64),
  /** One of COMMANDS; an unknown kind is answered by a CMD_RESULT that is not `ok`. */
  kind: Text(64),
  payload: Type.Record(Type.String(), Type.Unknown()),
})
const CommandResult = Type.Object({ id: Text(64), ok: Type.Boolean(), detail: Text(500) })

/** The commands that a Bird of this release carries out. */
export const COMMANDS = ['reboot', 'poweroff', 'decommission', 'refresh-settings'] as const
export type CommandKind = (typeof COMMANDS)[number]

const Log = Type.Object({
  level: Type.Union([Type.Literal('info'), Type.Literal('warning'), Type.Literal('error')]),
  at: Instant,
  message: Text(2000),
})
const Goodbye = Type.Object({
  reason: Text(200),
  retryAfterS: Type.Optional(Type.Integer({ minimum: 0, maximum: 86400 })),
})

const Job = Hex(32)
/** Most bytes of a file for a Bird. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024
const FileOffer = Type.Object({
  job: Job,
  /** What the Bird is to do with it; an unknown kind is answered by a FILE_STATE that says `failed`. */
  kind: Text(32),
  /** Absent until the console has the file. */
  file: Type.Optional(
    Type.Object({ sha256: Sha256, size: Type.Integer({ minimum: 0, maximum: MAX_FILE_BYTES }) }),
  ),
  /** Of the Bird's software: what is judged before a byte is fetched. */
  app: Type.Optional(
    Type.Object({
      /** The exact text that was signed. */
      manifest: Text(MAX_MANIFEST_BYTES),
      signature: Text(MAX_SIGNATURE_BYTES),
      serverMs: Instant,
      /** Fetched by HTTP instead of by this link: a path of the console, as this Bird addresses it, or the URL of a mirror. */
      source: Type.Optional(Text(MAX_MIRROR_LENGTH)),
    }),
  ),
  /** The job is over: nothing more is to be fetched or done. */
  cancelled: Type.Optional(Type.Boolean()),
})
const FileFetch = Type.Object({
  job: Job,
  offset: Count,
  length: Type.Integer({ minimum: 1, maximum: CHUNK_BYTES }),
})
const FileChunk = Type.Object({
  job: Job,
  offset: Count,
  /** Base64 of the bytes. */
  bytes: Type.String({ maxLength: Math.ceil(CHUNK_BYTES / 3) * 4 }),
})
export const FILE_STATES = ['ready', 'fetching', 'applied', 'failed'] as const
/** Most characters of the reason: it may list 20 names. */
export const MAX_FILE_REASON = 4000
const FileState = Type.Object({
  job: Job,
  state: Type.Enum(FILE_STATES),
  /** Bytes of the file that the Bird has. */
  copied: Count,
  /** Of the process that carries the job out. */
  pid: Count,
  /** Why it failed; else empty. */
  reason: Text(MAX_FILE_REASON),
})

/** Every frame by name. `from` names the side that may send it. A code is never given a second meaning; 2 and 255 are reserved. */
export const MESSAGES = {
  HELLO: { code: 1, from: 'bird', body: Hello },
  PENDING: { code: 3, from: 'console', body: Pending },
  COMMISSIONED: { code: 4, from: 'console', body: Registered },
  REGISTERED: { code: 5, from: 'console', body: Registered },
  REFUSED: { code: 6, from: 'console', body: Refused },
  GOODBYE: { code: 7, from: 'both', body: Goodbye },
  HEARTBEAT: { code: 16, from: 'bird', body: Heartbeat },
  HEARTBEAT_ACK: { code: 17, from: 'console', body: HeartbeatAck },
  EVENT_BATCH: { code: 32, from: 'bird', body: EventBatch },
  ACK: { code: 33, from: 'console', body: Ack },
  SETTINGS_OFFER: { code: 48, from: 'console', body: SettingsOffer },
  SETTINGS_FETCH: { code: 49, from: 'bird', body: SettingsFetch },
  SETTINGS_CHUNK: { code: 50, from: 'console', body: SettingsChunk },
  SETTINGS_APPLIED: { code: 51, from: 'bird', body: SettingsApplied },
  SETTINGS_FAILED: { code: 52, from: 'bird', body: SettingsFailed },
  SETTINGS_REVERTED: { code: 53, from: 'bird', body: SettingsReverted },
  CMD: { code: 64, from: 'console', body: Command },
  CMD_RESULT: { code: 65, from: 'bird', body: CommandResult },
  LOG: { code: 80, from: 'bird', body: Log },
  // Sent only to a Bird whose HELLO says `files`: an unknown code ends the session of an older one.
  FILE_OFFER: { code: 96, from: 'console', body: FileOffer },
  FILE_FETCH: { code: 97, from: 'bird', body: FileFetch },
  FILE_CHUNK: { code: 98, from: 'console', body: FileChunk },
  FILE_STATE: { code: 99, from: 'bird', body: FileState },
} as const satisfies Record<string, { code: number; from: 'bird' | 'console' | 'both'; body: TSchema }>

export type FrameKind = keyof typeof MESSAGES
/** The body of a frame: `Body<'HELLO'>`. */
export type Body<K extends FrameKind> = Static<(typeof MESSAGES)[K]['body']>
/** Any frame; narrow by `kind`. */
export type Frame = { [K in FrameKind]: { readonly kind: K; readonly body: Body<K> } }[FrameKind]
export type SpooledEvent = Static<typeof SpoolEvent>
export type DeviceFacts = Static<typeof Device>
