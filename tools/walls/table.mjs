// Who may import whom, and which words belong where: the walls of the house as data.

/** Descriptors, and what is folded from them, are pure: what a package may see of another that it must not otherwise know. */
const DESCRIPTORS = /(^|\/)descriptors?(\.gen)?\.ts$|^(settings\/)?(settings|personalities|instances)\.ts$/

/**
 * Package → the packages it may import; a pattern narrows that to some of the other's files.
 * @type {Readonly<Record<string, Readonly<Record<string, RegExp | true>>>>}
 */
export const MAY_IMPORT = {
  kernel: {},
  decoys: { kernel: true },
  tokens: { kernel: true },
  link: { kernel: true },
  spool: { kernel: true },
  contract: { kernel: true, decoys: DESCRIPTORS, tokens: DESCRIPTORS },
  console: { kernel: true, contract: true, link: true, tokens: true, spool: true, decoys: DESCRIPTORS },
  bird: { kernel: true, link: true, decoys: true, spool: true },
  sdk: { kernel: true, contract: true },
  cli: { kernel: true, sdk: true, console: true, bird: true, link: true, decoys: DESCRIPTORS },
  // The page draws QR codes as the artefacts have them.
  web: {
    sdk: true,
    decoys: DESCRIPTORS,
    tokens: /(^|\/)descriptors?(\.gen)?\.ts$|^qr\/(symbol|modules)\.ts$/,
  },
}

/** Packages that may import nothing from outside but these. */
export const OUTSIDE = { kernel: ['typebox', 'node:zlib'] }

/**
 * The rooms of packages/console/src, lowest first: a file imports its own room and those below it.
 * @type {readonly { name: string, files: RegExp }[]}
 */
export const CONSOLE_ROOMS = [
  { name: 'background', files: /^background\// },
  { name: 'addresses', files: /^addresses\// },
  { name: 'admission', files: /^admission\// },
  { name: 'config', files: /^config\/|^(version|data-folder|file-modes|watched-files|logtypes)\.ts$/ },
  { name: 'world', files: /^world\// },
  { name: 'secrets', files: /^secrets\// },
  { name: 'db', files: /^db\// },
  { name: 'stores', files: /^stores\// },
  { name: 'context', files: /^(app-context|metrics)\.ts$/ },
  { name: 'notify', files: /^notify\// },
  { name: 'flows', files: /^flows\// },
  { name: 'views', files: /^views\// },
  { name: 'channels', files: /^channels\// },
  { name: 'http', files: /^http\// },
  { name: 'features', files: /^features\// },
  { name: 'composition', files: /^(parts|setup|maintenance)\/|^(build|route-deps|open-context)\.ts$/ },
]

/** A function, its inner functions counted in. */
export const MAX_FUNCTION_LINES = 100

/** Long tables that nobody reads as a page: `moduli.data.ts`. */
export const DATA_FILES = /\.data\.ts$/

/** Words of Kysely and of our own writer that only a store may say. */
export const SQL_CALLS = [
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'replaceInto',
  'mergeInto',
  'insertMany',
  'updateMany',
  'deleteMany',
]

/** What only a world may ask the machine for, and what a caller asks instead. */
export const WORLDLY = {
  'Date.now': 'clock.now()',
  'Math.random': 'random.bytes()',
  'crypto.randomBytes': 'random.bytes()',
  'crypto.randomUUID': 'random.bytes()',
  'crypto.getRandomValues': 'random.bytes()',
}
export const WORLDLY_IMPORTS = {
  randomBytes: 'random.bytes()',
  randomUUID: 'random.bytes()',
  randomInt: 'random.bytes()',
  randomFillSync: 'random.bytes()',
  getRandomValues: 'random.bytes()',
}
export const WORLDLY_MODULES = {
  'node:dns': 'resolver',
  'node:dns/promises': 'resolver',
  undici: 'outbound',
  nodemailer: 'outbound',
}

/** Machines that only turn what they are given into what they answer. */
export const PURE_FILES = /(^|\/)(codec|session|step|descriptor|token|decide|views)\.ts$/
export const TIMERS = ['setTimeout', 'setInterval', 'setImmediate']
