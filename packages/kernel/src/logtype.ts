// What an incident is about: a number on the wire, a sentence for people, a slug inside the incident's key.

export interface Logtype {
  /** The specification's number, as text. */
  readonly logtype: string
  /** One line for people, such as `SSH Login Attempt`. */
  readonly summary: string
  /** The second part of an incident's key: `incident:<slug>:…`. */
  readonly slug: string
}
