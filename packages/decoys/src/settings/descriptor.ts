// What a decoy service says about itself: pure data that also loads in a browser. The console's settings schema, forms,
// reference and alerts come from it.
import type { LogtypeDescriptor } from '@rookery/kernel/logtype.ts'

/** One key of the Bird settings object (specification 2.8). */
export interface SettingDescriptor {
  readonly type: 'boolean' | 'port' | 'integer' | 'text' | 'choice' | 'list' | 'object' | 'tree'
  readonly default: unknown
  /** One line for the reference and for forms. */
  readonly title: string
  /** Allowed values of a choice, in the order in which they are shown. */
  readonly choices?: readonly string[]
  /** Of an integer: the least and the largest. */
  readonly minimum?: number
  readonly maximum?: number
  /** Longest text, in characters. */
  readonly maxLength?: number
  /** What a text must match, and each value of an object. */
  readonly format?: TextFormat
  /** Of an object: what its names must match. */
  readonly names?: TextFormat
  /** Of a list: the names that each of its objects has, and no others. Without them they are not checked. */
  readonly fields?: readonly string[]
  /** People cannot change it: the machine or an upload decides. */
  readonly fixed?: true
  /** Its value is not shown where changes are reported. */
  readonly secret?: true
  /** What is seen while it is empty, as a sentence. */
  readonly whenEmpty?: string
  /** No key of the specification's object: where a request leaves it out, it stays as it is. */
  readonly mayBeMissing?: true
  /** Of one Bird: a personality neither changes it nor carries it to another. */
  readonly ofOneBird?: true
  /** The first Bird release that knows it, if later than that of its service. */
  readonly since?: string
  /** Why nothing that an intruder or a user sees depends on it, as a sentence; absent when something does. */
  readonly noEffect?: string
}

/** Part of the values that a text may have. */
export interface TextFormat {
  /** An ECMAScript pattern for the whole text, without anchors. */
  readonly pattern: string
  /** What it asks for, as words behind "must be". */
  readonly expectation: string
}

/** The pattern with its anchors, for the flag `u`. */
export const wholeText = ({ pattern }: TextFormat): string => `^(?:${pattern})$`

/** What a node of a tree has, as words behind "a list of nodes, each with". */
export const TREE_NODE =
  'name and type (file or directory); a directory may have children, a file a size in bytes; modified is a date; uploaded is the number of a file that a share upload brought'

/** The first release of the Bird. */
export const FIRST_RELEASE = '3.0.0'

export const PRINTABLE_ASCII: TextFormat = {
  pattern: '[\\x20-\\x7e]*',
  expectation: 'one line of printable ASCII characters',
}

/** No control character but tab, line feed and carriage return. */
export const PRINTABLE_LINES: TextFormat = {
  pattern: '(?:[\\t\\n\\r]|\\P{Cc})*',
  expectation: 'a text without control characters',
}

/** A port that a service opens whatever its settings say. */
export interface PortBesides extends AnswerBudget {
  readonly transport: 'tcp' | 'udp'
  readonly port: number
}

/**
 * What may be answered over UDP beyond a question's own length: sources are easily forged, and a long answer hits the one
 * whose address it is. The host holds it, and sends few of such answers a second.
 */
export interface AnswerBudget {
  /** Bytes that the answers to one datagram have at most; absent where they are never longer than the datagram. */
  readonly answerBytes?: number
}

export interface ServiceDescriptor extends AnswerBudget {
  /** The prefix of its settings: `ssh` owns `ssh.enabled`, `ssh.port` … */
  readonly service: string
  readonly title: string
  /** Absent where it opens no port and notices those of the machine; then it has no scan line either. */
  readonly transport?: 'tcp' | 'udp'
  /** It listens at its ports by the other transport, too. */
  readonly isOnBoth?: true
  /**
   * How many instances it has, each with a switch, a port and settings of its own: `<service>_1.enabled`, `<service>_1.port` and
   * on. `<service>.enabled` switches them all. Without it, it is one that has its name.
   */
  readonly instances?: number
  /** The first Bird release that has it; without it the first of all. */
  readonly since?: string
  /** Ports that it opens besides those of its settings. */
  readonly portsBesides?: readonly PortBesides[]
  /** Settings by their full key, `<service>.enabled` and, with a transport, the port of each instance among them. */
  readonly settings: Readonly<Record<string, SettingDescriptor>>
  /** What its events mean: level, best evidence, meaning and next step of each logtype. */
  readonly logtypes: readonly LogtypeDescriptor[]
  /** The service whose logtypes it raises too. */
  readonly reportsFor?: string
  /** A command that touches it, with `{host}` and, where it has one, `{port}`, for a new user to copy. */
  readonly example: string
  /**
   * What `nmap -sV` prints for its first instance with default settings, with `{port}` and single spaces between the columns:
   * `<port>/<transport> open <service> <product and version>`.
   */
  readonly scanLine?: string
  /** Settings that make it something that people know, for the reference. */
  readonly presets?: readonly {
    readonly title: string
    readonly settings: Readonly<Record<string, unknown>>
  }[]
  /** What it was compared with where no real server was there, as a sentence. */
  readonly judgedBy?: string
}

/** Types a literal as a descriptor and keeps its exact shape. */
export const describeService = <const D extends ServiceDescriptor>(d: D): D => d
