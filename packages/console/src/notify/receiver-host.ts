// The host of a receiver that is reached over TCP, TLS or UDP, as users write it.
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { invalidParameter } from '@rookery/kernel/fault.ts'

/** The name as DNS knows it, or the address without brackets; what is neither is a `bad-input` of the parameter `host`. */
export function parseReceiverHost(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  const name = isIP(bare) === 0 ? domainToASCII(bare) : bare
  if (name === '' || (/[/:@]/.test(text) && isIP(bare) === 0))
    throw invalidParameter('host', 'must be a domain name or an IP address, without scheme, port or path')
  return name
}
