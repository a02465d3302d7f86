// A server of Debian 12 that a decoy is compared with.

/** Both may have the real port: the addresses differ. */
export const REAL_HOST = '127.0.0.2'

export const OUR_HOST = '127.0.0.1'

/** ntpd listens on 127.0.0.1 whatever its file says. */
export const ourHost = (transport?: 'udp'): string => (transport === 'udp' ? '127.0.0.3' : OUR_HOST)

export interface RealServer {
  readonly service: string
  /** The service's settings that it is compared with, as `test/serve.ts` takes them; without it, the defaults. */
  readonly settings?: readonly string[]
  /** The folder of `lab/` with its grammar. */
  readonly lab: string
  /** How many of 100 fresh probes must be equal, and why not 99. */
  readonly goal?: { readonly equal: number; readonly because: string }
  /** The trials of patience that our decoy is known to answer otherwise, by their name, and why. */
  readonly otherwise?: Readonly<Record<string, string>>
  /** Crowd, drips and silence are tried at another server of the list, which is the same program: its `nameOf`. */
  readonly enduresAs?: string
  /** Why crowd, drips and silence are not tried: printed each time. */
  readonly isNotTried?: string
  /** Debian's package, and the program that it installs. */
  readonly debian: string
  readonly program: string
  /** The package and the program that listen for it; without them, it listens itself. */
  readonly superserver?: { readonly debian: string; readonly program: string }
  /** The package and the file of a module that it loads. */
  readonly module?: { readonly debian: string; readonly file: string }
  readonly port: number
  /** By which it listens; without it, TCP. Crowd, drips and silence are of connections alone. */
  readonly transport?: 'udp'
  /** Writes what it needs into the folder; answers the arguments that keep it in the foreground, and what starts it. */
  readonly prepare: (folder: string) => {
    /** Without it, the program itself. */
    readonly program?: string
    readonly args: readonly string[]
    readonly env?: NodeJS.ProcessEnv
  }
}
