// What the first bytes of a load balancer's connection say.

export type ProxyHeader =
  | { readonly name: 'incomplete' }
  /** The connection must be closed. */
  | { readonly name: 'refused'; readonly reason: string }
  | {
      readonly name: 'whole'
      /** Its length: the client's bytes follow. */
      readonly bytes: number
      /** The client's address; undefined where the balancer speaks for itself, or does not know the client. */
      readonly client: string | undefined
    }

export const INCOMPLETE: ProxyHeader = { name: 'incomplete' }

export const refused = (reason: string): ProxyHeader => ({ name: 'refused', reason })
