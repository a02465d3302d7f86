/** What a list looks at. Flocks have lists of addresses only. */
export type ListName = 'ip' | 'hostname' | 'src_port' | 'annotation'

export interface IgnoreTables {
  /** Lines of the ignore lists, in the order in which they were given; `owner` is `console` or a Flock's id. */
  ignored_line: {
    list: ListName
    owner: string
    position: number
    /** The line as it was written, with its comment; the name of an annotation. */
    line: string
  }
  /** The mode of a Flock's list of addresses; without a row it follows the console. */
  flock_ignore: {
    flock_id: string
    /** `global` follows the console's list and switch; `on` and `off` are the Flock's own. */
    mode: 'global' | 'on' | 'off'
    /** The Flock's own list has what the console's has, too. */
    inherits: number
  }
  /** One row: increases with every change of the lists, so that other changes do not recompile them. */
  ignore_version: { id: number; version: number }
  /** The last touches that a list ignored. */
  ignored_touch: {
    ignored_id: number
    received_at: number
    flock_id: string
    node_id: string
    /** Of the Bird; `N/A` for a token. */
    name: string
    logtype: string
    src_host: string
    dst_port: number
    list: ListName
    /** The entry of the list that ignored it; empty when it was not known. */
    entry: string
  }
  /** Touches that are raised once the name of their source is known. */
  deferred_touch: {
    deferred_id: number
    deferred_at: number
    /** The arrival, as JSON. */
    body: string
  }
}
