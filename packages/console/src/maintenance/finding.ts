// What `rookery doctor` found: what is well, or what is wrong and how to repair it.

export interface Finding {
  readonly ok: boolean
  /** In a word or two: `disk`, `channel`. */
  readonly about: string
  readonly text: string
}
