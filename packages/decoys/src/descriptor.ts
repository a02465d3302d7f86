// What a decoy service says about itself: pure data that also loads in a browser. The console's settings schema, forms,
// reference and alerts come from it.
import type { LogtypeDescriptor } from '@rookery/kernel/logtype.ts'

/** One key of the Bird settings object (specification 2.8). */
export interface SettingDescriptor {
  readonly type: 'boolean' | 'port' | 'text' | 'choice' | 'json'
  readonly default: unknown
  /** One line for the reference and for forms. */
  readonly title: string
  /** Allowed values of a choice, in the order in which they are shown. */
  readonly choices?: readonly string[]
  /** Longest text, in characters. */
  readonly maxLength?: number
  /** Of a `json` setting: an object of texts by name, or an array of objects. */
  readonly shape?: 'texts' | 'objects'
  /** People cannot change it: the machine or an upload decides. */
  readonly fixed?: true
}

export interface ServiceDescriptor {
  /** The prefix of its settings: `ssh` owns `ssh.enabled`, `ssh.port` … */
  readonly service: string
  readonly title: string
  readonly transport: 'tcp' | 'udp'
  /** Settings by their full key, `<service>.enabled` and `<service>.port` among them. */
  readonly settings: Readonly<Record<string, SettingDescriptor>>
  /** What its events mean: level, best evidence, meaning and next step of each logtype. */
  readonly logtypes: readonly LogtypeDescriptor[]
  /** A command that touches it, with `{host}` and `{port}`, for a new user to copy. */
  readonly example: string
  /**
   * What `nmap -sV` prints for it with default settings, with `{port}` and single spaces between the columns:
   * `<port>/<transport> open <service> <product and version>`.
   */
  readonly scanLine: string
}

/** Types a literal as a descriptor and keeps its exact shape. */
export const describeService = <const D extends ServiceDescriptor>(d: D): D => d
