export interface IgnoreTables {
  /** Lines of the IP ignore lists, in the order in which they were given; `owner` is `console` or a Flock's id. */
  ignored_ip: {
    owner: string
    position: number
    /** The line as it was written, with its comment. */
    line: string
  }
}
