// The releases of SQL Server that the decoy may claim, each as first published, without service packs and updates.

export interface Version {
  /** As the setting has it. */
  readonly name: string
  /** Of PRELOGIN: major, minor, build. */
  readonly number: readonly [major: number, minor: number, build: number]
  /** As the browser service names it. */
  readonly text: string
  /** Bits of the RSA key that the server makes for itself at its start, and the hash of its signature. */
  readonly certificate: { readonly bits: number; readonly hash: 'sha1' | 'sha256' }
  /** Knows federated authentication, and says in PRELOGIN that it does not ask for it. */
  readonly hasFederation: boolean
  /** Speaks TDS 8.0, too, which begins with TLS. */
  readonly hasTds8: boolean
  /** How it calls the logins that Windows checks: the releases that run on Linux, too, say it otherwise. */
  readonly windowsLogins: 'Windows' | 'Integrated'
}

const FIRST = {
  certificate: { bits: 1_024, hash: 'sha1' },
  hasFederation: false,
  hasTds8: false,
  windowsLogins: 'Windows',
} as const
const ON_LINUX = {
  ...FIRST,
  certificate: { bits: 2_048, hash: 'sha256' },
  windowsLogins: 'Integrated',
} as const

export const VERSIONS: readonly Version[] = [
  {
    ...FIRST,
    name: '2012',
    number: [11, 0, 2_100],
    text: '11.0.2100.60',
  },
  {
    ...FIRST,
    name: '2014',
    number: [12, 0, 2_000],
    text: '12.0.2000.8',
  },
  {
    ...FIRST,
    name: '2016',
    number: [13, 0, 1_601],
    text: '13.0.1601.5',
  },
  {
    ...ON_LINUX,
    name: '2017',
    number: [14, 0, 1_000],
    text: '14.0.1000.169',
  },
  {
    ...ON_LINUX,
    name: '2019',
    number: [15, 0, 2_000],
    text: '15.0.2000.5',
  },
  {
    ...ON_LINUX,
    name: '2022',
    number: [16, 0, 1_000],
    text: '16.0.1000.6',
    certificate: { bits: 3_072, hash: 'sha256' },
    hasFederation: true,
    hasTds8: true,
  },
]

/** The version of that name; settings were checked before. */
export function versionNamed(name: unknown): Version {
  const version = VERSIONS.find((each) => each.name === name)
  if (version) return version
  throw new RangeError(
    `dbsrv_a.version is ${JSON.stringify(name)}; it must be one of ${VERSIONS.map((each) => each.name).join(', ')}`,
  )
}
